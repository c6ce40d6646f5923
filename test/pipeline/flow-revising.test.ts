import { expect, test } from 'vitest';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { listOf } from '../../src/pipeline/modes/flow/flow-tasks.ts';
import { revising } from '../../src/pipeline/modes/flow/revising.ts';
import { flowStory } from '../helpers/flow-story.ts';

test('an issue that a person closes leaves the tasks that it shares with others', () => {
  const story = flowStory().begin();
  const { flow } = evolveAll(null, story.events);
  const closed = (flow?.reading?.issues ?? []).map((issue) =>
    issue.id === '43' ? { ...issue, state: 'Canceled' as const } : issue,
  );
  story.add({ type: 'issues.read', issues: closed, planned: [], files: {}, returned: [] });
  const state = evolveAll(null, story.events);
  const next = state.flow && revising(state, state.flow, listOf(state, state.flow));
  expect(next).toMatchObject({
    type: 'tasks.defined',
    tasks: expect.arrayContaining([
      expect.objectContaining({
        id: 'plan-42_stream',
        metadata: expect.objectContaining({ issues: ['42'] }),
      }),
    ]),
  });
});
