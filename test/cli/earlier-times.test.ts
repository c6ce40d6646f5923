import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventBodySchema } from '../../src/pipeline/event.ts';
import { runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const plan = (title: string, tail = ''): string =>
  `goal: Twice\nsettings: {planning: {max_cycles: 0}}\ntasks:\n  - {id: slow, title: Slow, files: [a], run: ["sleep 0.3", "touch a"]}\n  - {id: quick, title: ${title}, files: [b], run: ["touch b"]}\n${tail}`;

const startOf = async (workspace: string, text: string) => {
  writeFileSync(join(workspace, 'plan.yaml'), text);
  const { code, stdout } = await runProgram(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace });
  expect(code).toBe(0);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => eventBodySchema().parse(JSON.parse(line)));
  return events.find((event) => event.type === 'session.started');
};

test('a session knows how long the tasks of earlier ones of its workspace took', async () => {
  const workspace = tempDir();
  expect(await startOf(workspace, plan('Quick'))).not.toHaveProperty('earlier');
  const second = await startOf(workspace, plan('Other'));
  expect(second?.earlier?.tasks).toMatchObject({ slow: { title: 'Slow' }, quick: { title: 'Quick' } });
  expect(second?.earlier?.tasks['slow']?.ms).toBeGreaterThanOrEqual(300);
  expect(second?.earlier?.usual).toMatchObject({ tasks: 2, cost: null });
  expect((await startOf(workspace, plan('Other')))?.earlier).toMatchObject({
    tasks: { quick: { title: 'Other' } },
    usual: { tasks: 4 },
  });
});
