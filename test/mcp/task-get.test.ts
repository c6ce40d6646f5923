import { expect, test } from 'vitest';
import { createPatience } from '../../src/mcp/patience.ts';
import { taskGet } from '../../src/mcp/tools/task-get.ts';
import { taskBriefs } from '../../src/pipeline/brief.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { flowStory } from '../helpers/flow-story.ts';
import { createManualClock } from '../helpers/manual-clock.ts';

test('the metadata of a task of an issue has its result, lists too, and that of what it depends on', async () => {
  const result = { artifact_path: 'thoughts/research.md', files: ['src/vi.json', 'src/en.json'] };
  const { events } = flowStory().begins('research-42').ends('research-42', result);
  const tasks = taskBriefs(evolveAll(null, events));
  const calls = { brief: {}, tasks: async () => tasks, report: async () => null };
  const patience = createPatience(createManualClock(), new AbortController().signal);
  const of = async (id: string) => (await taskGet.call(calls, { id }, patience)).body;
  expect(await of('research-42')).toMatchObject({ task: { metadata: { ...result, issues: ['42'] } } });
  expect(await of('plan-42_stream')).toMatchObject({
    task: { metadata: { issues: ['42', '43'] } },
    depends_on: [{ id: 'research-42', metadata: result }, { id: 'research-43' }],
  });
});
