import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ProgramResult, runProgram } from '../helpers/program.ts';
import { foreignIn, foreignSoFar } from '../helpers/raw-bytes.ts';
import { makeTempDir, removeTempDir } from '../helpers/temp-dir.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { onlySession } from '../helpers/workspace.ts';

const esc = '\u001b';
const clip = ']52;c;ZXZpbA==';
const turned = 'exe\u202etxt.\u200b\u2066hidden\u2069\ufeff';

/** Text that wants to steer the terminal of whoever reads it, or to show something else than it is (test/README.md, Hostile input, Terminal). */
const hostile: Readonly<Record<string, string | Uint8Array>> = {
  'OSC 52 ended by BEL': `${esc}${clip}\u0007`,
  'OSC 52 ended by ST': `${esc}${clip}${esc}\\`,
  'OSC 52 of C1 bytes': '\u009d52;c;ZXZpbA==\u009c',
  'OSC 52 without an end': `${esc}${clip}`,
  'a prompt forged by cursor movement': `${esc}[2J${esc}[HAllow rm -rf? ${esc}[7m[y]${esc}[0m`,
  'a title': `${esc}]0;owned\u0007`,
  'a device query that answers into the shell': `${esc}[6n${esc}[c${esc}P$q"p${esc}\\`,
  'right-to-left override and zero width': turned,
  'a progress bar': '10%\r20%\r100%',
  backspaces: 'safe\b\b\b\bevil',
  'a huge line': `${'x'.repeat(200_000)}${esc}[5m`,
  'binary output': Uint8Array.from({ length: 4_096 }, (_, at) => (at * 7 + (at >> 8)) & 0xff),
};
const names = Object.keys(hostile);

const textOf = (content: string | Uint8Array): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

/** A task each: the text is in its title, in its output and, as far as a name can hold it, in the name of its file. */
const plan = (): string => {
  const tasks = names.map((name, at) => {
    const text = textOf(hostile[name] ?? '').slice(0, 300);
    const file = `file-${at}-${text.replaceAll(/[\u0000-\u001f\u007f/\ufffd]/g, '').slice(0, 40)}`;
    return {
      id: `t${at}`,
      title: `Title ${text}`,
      files: [file],
      run: [`cat bytes-${at}; echo; echo the end of ${at}`, ['touch', '--', file]],
    };
  });
  const goal = `Goal ${textOf(hostile['OSC 52 without an end'] ?? '')}`;
  return JSON.stringify({ goal, tasks, settings: { concurrency: { max_parallel_executors: 12 } } });
};

const workspace = makeTempDir();
let screen: TestTerminal;
const seen: { readonly shown: readonly string[]; readonly raw: string }[] = [];
const commands = ['signals', 'status', 'tasks', 'sessions', 'report t4', 'logs t0', 'logs t4', 'logs t11'];
let results: readonly ProgramResult[] = [];

/** The last line a task printed: that of the tenth begins as the first one's does. */
const endOf = (at: number): RegExp => new RegExp(`the end of ${at}$`, 'm');

/** One session with all of them, each looked at in turn as by a person who presses j. */
beforeAll(async () => {
  for (const [at, name] of names.entries())
    writeFileSync(join(workspace, `bytes-${at}`), hostile[name] ?? '');
  writeFileSync(join(workspace, 'plan.yaml'), plan());
  screen = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 140, rows: 40 });
  await screen.waitFor(/Waiting for you|How it ended/);
  const inputs = join(onlySession(workspace), 'signals/inputs');
  for (const [at, name] of names.entries()) {
    const message = JSON.stringify(`Read ${textOf(hostile[name] ?? '').slice(0, 3_000)}`);
    writeFileSync(
      join(inputs, `signal.${at}-${turned}.yaml`),
      `type: INFO\ntarget: Planner\nmessage: ${message}\n...\n`,
    );
  }
  // No Esc here: nothing shows that it was read, and with a key behind it in one read it would be Alt and that key.
  await screen.waitFor(/INFO/);
  // From the last one the first is a step that shows.
  screen.press('G');
  await screen.waitFor(endOf(names.length - 1));
  for (const [at] of names.entries()) {
    const from = screen.raw().length;
    screen.press(at === 0 ? 'g' : 'j');
    const shown = await screen.waitFor(endOf(at));
    seen.push({ shown: shown.split('\n'), raw: screen.raw().slice(from) });
  }
  results = await Promise.all(commands.map((words) => runProgram(words.split(' '), { cwd: workspace })));
}, 60_000);
afterAll(() => {
  screen.kill('SIGKILL');
  removeTempDir(workspace);
});

test.each(names.map((name, at) => ({ name, at })))(
  '$name in title, message, file name and output reaches no terminal, and the log file holds it byte for byte',
  ({ name, at }) => {
    const { shown, raw } = seen[at] ?? { shown: [], raw: 'nothing was shown' };
    // A frame may still be under way where the piece ends.
    expect(foreignSoFar(raw)).toBe('');
    // The head of the screen stands where it stood: nothing was drawn over it, least of all a prompt.
    expect(shown[1]).toMatch(/^ Plan › .*(?:\[Work\]|\[Learn\])/);
    expect(shown.slice(0, 4).join('\n')).not.toContain('Allow');
    const log = readFileSync(join(onlySession(workspace), `logs/t${at}-r1.log`));
    expect(log.includes(Buffer.from(hostile[name] ?? ''))).toBe(true);
  },
);

test.each(commands.map((words, at) => ({ words, at })))(
  '`$words` prints all of that harmlessly',
  ({ at }) => {
    const { code, stdout, stderr } = results[at] ?? { code: -1, stdout: '', stderr: '' };
    expect([code, foreignIn(stdout), stderr]).toEqual([0, '', '']);
  },
);

test('from the first byte to the last the terminal got no sequence that is not ours', () => {
  expect(foreignSoFar(screen.raw())).toBe('');
});
