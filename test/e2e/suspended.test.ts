import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openInShell, type TestTerminal } from '../helpers/terminal.ts';
import { waitingPlan, workspaceWith } from '../helpers/workspace.ts';

/** The lines that the task has printed so far, in a file of its own. */
const tickingPlan = `goal: Tick
tasks:
  - id: first
    title: First
    files: [first.txt]
    run:
      - 'echo waiting for first; while [ ! -e go-first ] && [ -e plan.yaml ]; do echo tick >> ticks.log; sleep 0.05; done; echo first > first.txt'
`;

const open = async (
  plan: string,
  args: readonly string[] = ['run', '--plan', 'plan.yaml'],
  env: Readonly<Record<string, string>> = {},
) => {
  const workspace = workspaceWith({ 'plan.yaml': plan, '.ralph/config.yaml': 'commit: false\n' });
  const terminal = openInShell(args, { cwd: workspace, columns: 120, env });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  return { workspace, terminal };
};

const atShell = (terminal: TestTerminal): Promise<string> =>
  terminal.waitFor(
    (screen) => !terminal.isAlternate() && /Stopped[\s\S]*shell\$ $/.test(`${screen.trimEnd()} `),
  );

const onScreen = (terminal: TestTerminal): Promise<string> =>
  terminal.waitFor((screen) => terminal.isAlternate() && screen.includes('waiting for first'));

/** The distinct states of the processes of the task. A shell that has begun to start a program (`vfork`) waits in `D` for its child, and stops with it. */
const statesIn = (workspace: string): readonly string[] => [
  ...new Set(statesOf(workspace).filter((state) => state !== 'D')),
];

const statesOf = (workspace: string): readonly string[] =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('ticks.log')) return [];
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(workspace)) return [];
        return [readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? ''];
      } catch {
        return [];
      }
    });

test('ctrl-z gives the terminal back to the shell as it was, the work stands still with it, and `fg` draws the screen again', async () => {
  const { workspace, terminal } = await open(tickingPlan);
  terminal.press('ctrl-z');
  await atShell(terminal);
  await expect.poll(() => statesIn(workspace)).toEqual(['T']);
  terminal.type('stty -a | tr ";" "\\n" | grep -cwE "icanon|echo"; echo typed\r');
  await terminal.waitFor(/typed\n[\s\S]*shell\$/);
  expect(terminal.screen()).toMatch(/-c[\s\S]*\n[12]\ntyped/);
  terminal.type('fg\r');
  await onScreen(terminal);
  await expect.poll(() => statesIn(workspace)).not.toContain('T');
  terminal.press('?');
  await terminal.waitFor('Here and now');
  terminal.press('escape');
  writeFileSync(join(workspace, 'go-first'), '');
  await terminal.waitFor(/1 of 1 done/);
});

test('after `bg` the session works on without a screen, and `fg` brings it back', async () => {
  const { workspace, terminal } = await open(tickingPlan);
  terminal.press('ctrl-z');
  await atShell(terminal);
  terminal.type('bg\r');
  await expect.poll(() => statesIn(workspace)).not.toContain('T');
  // What is typed is for the shell: a program that reads in the background is stopped.
  terminal.type('echo typed\r');
  await terminal.waitFor(/\ntyped\n/);
  terminal.type('jobs\r');
  await terminal.waitFor(/\[1\]\S? +Running/);
  writeFileSync(join(workspace, 'go-first'), '');
  await expect.poll(() => readdirSync(workspace)).toContain('first.txt');
  expect(terminal.isAlternate()).toBe(false);
  terminal.type('fg\r');
  await terminal.waitFor((screen) => terminal.isAlternate() && /1 of 1 done/.test(screen));
});

test.each([
  ['a dialog with typed text', ['s', 'x'], /─ Steer ─[\s\S]*x/],
  ['the help', ['?'], /Here and now/],
  ['the question how to leave', ['q'], /stay/],
])(
  'ctrl-z works in %s, which is there again after `fg`, in a terminal of another size',
  async (_, keys, shown) => {
    const { terminal } = await open(waitingPlan);
    for (const key of keys) {
      terminal.press(key);
      await terminal.waitFor(key === 'x' ? /│\s+x/ : /╭─/);
    }
    await terminal.waitFor(shown);
    terminal.press('ctrl-z');
    await atShell(terminal);
    terminal.resize(90, 26);
    terminal.type('fg\r');
    await terminal.waitFor((now) => terminal.isAlternate() && shown.test(now));
    terminal.press('escape');
    await terminal.waitFor(() => terminal.rows()[25]?.includes('help') === true);
  },
);

test('ctrl-z works on the start screen, and keeps the typed goal', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const terminal = openInShell([], { cwd: workspace, columns: 120 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('What should be done?');
  terminal.type('mend');
  await terminal.waitFor('mend');
  terminal.press('ctrl-z');
  await atShell(terminal);
  terminal.type('fg\r');
  await terminal.waitFor((screen) => terminal.isAlternate() && screen.includes('mend'));
});

test('an editor that is suspended takes the work with it, and both come back', async () => {
  const { workspace, terminal } = await open(tickingPlan, undefined, {
    EDITOR: `sh -c 'echo EDITING; kill -TSTP 0; echo again; while [ ! -e edited ]; do sleep 0.05; done; echo tide >> $0'`,
  });
  terminal.press('s');
  await terminal.waitFor('─ Steer ─');
  terminal.press('ctrl-g');
  await atShell(terminal);
  await expect.poll(() => statesIn(workspace)).toEqual(['T']);
  terminal.type('fg\r');
  await terminal.waitFor('again');
  expect(terminal.isAlternate()).toBe(false);
  writeFileSync(join(workspace, 'edited'), '');
  await terminal.waitFor(/─ Steer ─[\s\S]*tide/);
  terminal.press('ctrl-z');
  await atShell(terminal);
  terminal.type('fg\r');
  await terminal.waitFor(/─ Steer ─[\s\S]*tide/);
});

test('an editor gets every key', async () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const { terminal } = await open(tickingPlan, undefined, {
    EDITOR: `sh -c 'stty -icanon -echo; echo EDITING; dd bs=1 count=${letters.length} of=$0 2>/dev/null'`,
  });
  terminal.press('s');
  await terminal.waitFor('─ Steer ─');
  terminal.press('ctrl-g');
  await terminal.waitFor('EDITING');
  for (const letter of letters) terminal.type(letter);
  await terminal.waitFor(new RegExp(`─ Steer ─[\\s\\S]*│ ${letters} `));
});

test('in line mode as well: the work stands still until `fg`', async () => {
  const { workspace, terminal } = await open(tickingPlan, ['run', '--plan', 'plan.yaml', '--screen-reader']);
  terminal.press('ctrl-z');
  await terminal.waitFor('Stopped');
  await expect.poll(() => statesIn(workspace)).toEqual(['T']);
  terminal.type('fg\r');
  await expect.poll(() => statesIn(workspace)).not.toContain('T');
});
