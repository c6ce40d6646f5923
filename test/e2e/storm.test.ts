import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { onlySession, workspaceWith } from '../helpers/workspace.ts';

const plan = `goal: Weather the storm
tasks:
  - id: work
    title: Work
    files: [done.txt]
    run: ['while test ! -e go; do echo tick; sleep 0.05; done', 'touch done.txt']
`;

const start = async (): Promise<{ readonly workspace: string; readonly terminal: TestTerminal }> => {
  const workspace = workspaceWith({ 'plan.yaml': plan });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/tick/);
  return { workspace, terminal };
};

const signals = (workspace: string): readonly string[] =>
  ['inputs', 'claimed', 'processed'].flatMap((folder) =>
    readdirSync(join(onlySession(workspace), 'signals', folder)),
  );

test('a storm of resizes while output arrives ends in one whole frame of the last size', async () => {
  const { terminal } = await start();
  for (let step = 0; step < 200; step += 1) terminal.resize(20 + ((step * 37) % 180), 5 + ((step * 13) % 55));
  terminal.resize(90, 30);
  const screen = await terminal.waitFor(() => {
    const rows = terminal.rows();
    return rows.length === 30 && /q quit/.test(rows.at(-1) ?? '') && /Weather/.test(rows[0] ?? '');
  });
  expect(screen.match(/q quit/g)).toHaveLength(1);
  expect(screen.match(/Now: /g)).toHaveLength(1);
  terminal.press('?');
  await terminal.waitFor(/Here and now/);
});

test('a paste that ends its bracket and goes on with keys aborts nothing and sends nothing', async () => {
  const { workspace, terminal } = await start();
  terminal.press('s');
  await terminal.waitFor(/the agent decides/);
  terminal.paste('use bar\u001b[201~\u001bpAABORT\r');
  await terminal.waitFor(/use bar/);
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('the agent decides'));
  expect(terminal.screen()).not.toMatch(/Abort the session\?|Paus|sent/);
  expect(signals(workspace)).toEqual([]);
});
