import { expect, onTestFinished, test } from 'vitest';
import { type ProgramOptions, runProgram, startProgram } from '../helpers/program.ts';
import { sessionText } from '../helpers/session-files.ts';
import { openScreen, openTerminal } from '../helpers/terminal.ts';
import { diamondPlan, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

/** Without what differs between two runs: when, where, how long, and how far the busy sign has turned. */
const alike = (text: string, workspace: string): string =>
  text
    .replaceAll(workspace, 'WORKSPACE')
    .replaceAll(/\d{6}-\d{6}/g, 'SESSION')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+\+00:00|\b\d\d?:\d\d(?::\d\d)?\b|\b\d+(?:\.\d)? ?m?s\b/g, 'TIME')
    .replaceAll(/[\u2800-\u28ff]/g, '▸')
    .replaceAll(/ +/g, ' ');

/** One task at a time: whether a `verify` fails beside another task, and runs again, depends on the machine. */
const oneByOne = diamondPlan.replace(
  'tasks:',
  'settings: {concurrency: {max_parallel_executors: 1}}\ntasks:',
);

test('a session in the process of the tests says, writes and returns what one in a process of its own does', async () => {
  const outcome = async (run: (options: ProgramOptions) => Promise<object>) => {
    const cwd = workspaceWith({ 'plan.yaml': oneByOne });
    const { stdout, ...result } = { stdout: '', ...(await run({ cwd })) };
    const types = [...sessionText(cwd, 'journal.jsonl').matchAll(/"type":"([a-z.-]+)"/g)].map(
      ([, type]) => type,
    );
    return {
      ...result,
      lines: alike(stdout, cwd).split('\n').toSorted(),
      progress: alike(sessionText(cwd, 'iterations/1/progress.md'), cwd),
      // How many depends on the time.
      types: types.filter((type) => type !== 'snapshot.written').toSorted(),
    };
  };
  const args = ['run', '--plan', 'plan.yaml'];
  const [inside, own] = await Promise.all([
    outcome((options) => runProgram(args, options)),
    outcome((options) => startProgram(args, options).done),
  ]);
  expect(inside).toEqual(own);
  expect(own).toMatchObject({
    code: 0,
    lines: expect.arrayContaining([expect.stringContaining('work begins')]),
  });
});

test('a screen in the process of the tests shows what one on a pseudo-terminal does, and leaves its terminal alike', async () => {
  const shown = async (open: typeof openTerminal) => {
    const cwd = workspaceWith({ 'plan.yaml': waitingPlan });
    const terminal = open(['run', '--plan', 'plan.yaml'], { cwd });
    onTestFinished(() => terminal.kill('SIGKILL'));
    const frames: string[] = [];
    const see = async (wanted: string | RegExp): Promise<void> => {
      frames.push(alike(await terminal.waitFor(wanted), cwd));
    };
    await terminal.waitFor('waiting for first');
    expect(terminal.isAlternate()).toBe(true);
    terminal.press('?');
    await see('Here and now');
    terminal.press('escape');
    await terminal.waitFor((screen) => !screen.includes('Here and now'));
    terminal.resize(130, 40);
    await terminal.waitFor((screen) => screen.split('\n').some((row) => row.length > 110));
    terminal.press('q');
    await see('Pause and leave');
    terminal.press('enter');
    const code = await terminal.exit;
    return {
      frames,
      code,
      isAlternate: terminal.isAlternate(),
      left: /ralph-tui resume/.test(terminal.screen()),
    };
  };
  const [inside, own] = [await shown(openScreen), await shown(openTerminal)];
  expect(inside).toEqual(own);
  expect(own).toMatchObject({ code: 4, isAlternate: false, left: true });
});
