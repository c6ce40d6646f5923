import { onTestFinished, test } from 'vitest';
import { paneKey } from '../helpers/pane-key.ts';
import { openScreen, type TestTerminal } from '../helpers/terminal.ts';
import { waitFor, workspaceWith } from '../helpers/workspace.ts';

/** A diamond whose right side waits for the test, so that nothing of the drawing changes by itself. */
const plan = `goal: Draw the diamond
tasks:
  - {id: seed, title: The seed, run: [echo seed speaks]}
  - {id: root, title: The root, blockedBy: [seed], run: [echo root speaks]}
  - {id: left, title: The left side, blockedBy: [root], run: [echo left speaks]}
  - {id: right, title: The right side, blockedBy: [root], run: ['${waitFor('right')}']}
  - {id: join, title: The join, blockedBy: [left, right], run: [echo join speaks]}
`;

/** A press and a release of the left button where the screen shows this text. */
const click = (terminal: TestTerminal, text: string): void => {
  const rows = terminal.rows();
  const row = rows.findIndex((line) => line.includes(text));
  if (row < 0) throw new Error(`"${text}" is not on the screen\n${terminal.screen()}`);
  const at = `0;${(rows[row]?.indexOf(text) ?? 0) + 1};${row + 1}`;
  terminal.type(`\u001b[<${at}M\u001b[<${at}m`);
};

test('the drawn graph answers keys and the mouse, and the Timeline leads to the output of an attempt', async () => {
  const workspace = workspaceWith({ 'plan.yaml': plan, '.ralph/config.yaml': 'ui: {mouse: true}\n' });
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    columns: 120,
    rows: 36,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  // All of it fits, so it is drawn without a key.
  await terminal.waitFor(
    (screen) => /│ ✓ root /.test(screen) && /│ ✓ left /.test(screen) && /[│┃][ ▌]▸ right /.test(screen),
  );
  await terminal.waitFor(/┃▌▸ right /);
  // Down along an edge to what it blocks, back up in the same row, and to its neighbours in the rank.
  terminal.press('j');
  await terminal.waitFor(/▌· join [\s\S]* join: The join · waits for right/);
  terminal.press('k');
  await terminal.waitFor(/▌▸ right [\s\S]* right: The right side · running/);
  terminal.press('h');
  await terminal.waitFor(/▌✓ left [\s\S]* left: The left side · /);
  terminal.press('l');
  await terminal.waitFor(/▌▸ right /);
  await terminal.waitFor(() => terminal.raw().includes('\u001b[?1006h'));
  click(terminal, '✓ root');
  await terminal.waitFor(
    (screen) => / root: The root · done · after seed/.test(screen) && /▌✓ root /.test(screen),
  );
  // Found by its name, folded and unfolded, on the whole screen and back.
  terminal.press('/');
  await terminal.waitFor('Find a task');
  terminal.type('seed');
  await terminal.waitFor(/▌✓ seed /);
  terminal.press('enter');
  await terminal.waitFor((screen) => !screen.includes('Find a task'));
  terminal.press('F');
  await terminal.waitFor(/▌✓ 3 done /);
  terminal.press('F');
  await terminal.waitFor(/▌✓ seed [\s\S]*✓ root /);
  terminal.press('z');
  await terminal.waitFor((screen) => screen.includes('[Tasks]') && /▸ right /.test(screen));
  terminal.press('z');
  await terminal.waitFor((screen) => !screen.includes('[Tasks]') && /▸ right /.test(screen));
  terminal.press(paneKey('timeline'));
  await terminal.waitFor(/\[(\d )?Time(line)?\]( \d \w+)* ━[\s\S]*Executor .* right .*▸/);
  terminal.press('h');
  await terminal.waitFor(/ Executor on right · worked [\d:]+/);
  terminal.press('enter');
  await terminal.waitFor(
    (screen) => /\[(1 )?Out(put)?\] .* right [━─]/.test(screen) && /│ +waiting for right/.test(screen),
  );
});
