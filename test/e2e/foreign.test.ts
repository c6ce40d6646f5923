import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runJson, runProgram } from '../helpers/program.ts';
import { root } from '../helpers/source-tree.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const layouts = [
  { fixture: 'v1', layout: 'Ralph v1', tasks: 2 },
  { fixture: 'v2.0', layout: 'Ralph v2 (2.0-2.1)', tasks: 2 },
  { fixture: 'v2.2', layout: 'Ralph v2 (2.2)', tasks: 3 },
  { fixture: 'v2.3', layout: 'Ralph v2 (2.3+)', tasks: 1 },
  { fixture: 'v2.6', layout: 'Ralph v2 (2.6+)', tasks: 1 },
];

test.each(layouts)(
  'a session laid out by $layout opens in sessions, status, tasks, signals and attach, and not a file of it changes',
  async ({ fixture, layout, tasks }) => {
    const workspace = tempDir();
    cpSync(join(root, 'test/fixtures/sessions', fixture), join(workspace, '.ralph-sessions'), {
      recursive: true,
    });
    const before = readdirSync(workspace, { recursive: true }).toSorted();
    expect(await runJson(['sessions'], { cwd: workspace })).toMatchObject([{ layout }]);
    expect(await runJson(['status'], { cwd: workspace })).toMatchObject({ tasks: { total: tasks } });
    expect(await runJson(['tasks'], { cwd: workspace })).toHaveLength(tasks);
    await runJson(['signals'], { cwd: workspace });
    expect((await runProgram(['attach'], { cwd: workspace })).code).toBe(0);
    expect(readdirSync(workspace, { recursive: true }).toSorted()).toEqual(before);
  },
);

test('a session of a layout we do not write cannot be steered, and is told by whom it can', async () => {
  const workspace = tempDir();
  cpSync(join(root, 'test/fixtures/sessions/v2.6'), join(workspace, '.ralph-sessions'), { recursive: true });
  const result = await runProgram(['signal', 'INFO', 'hello'], { cwd: workspace });
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('Ralph v2 (2.6+)') });
});
