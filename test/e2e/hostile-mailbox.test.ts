import { spawn } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runJson, runProgram } from '../helpers/program.ts';
import { foreignIn, foreignSoFar } from '../helpers/raw-bytes.ts';
import { sessionText } from '../helpers/session-files.ts';
import { makeTempDir, removeTempDir } from '../helpers/temp-dir.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { onlySession, release, waitingPlan, writeIn } from '../helpers/workspace.ts';
import { heard, info, type Refused, refusals, secret, server } from './hostile-signals.ts';

const workspace = makeTempDir();
const rowSchema = z.array(
  z.object({
    file: z.string(),
    stage: z.string(),
    error: z.string().nullable(),
    message: z.string().nullable(),
    handled_by: z.string().nullable(),
  }),
);
let screen: TestTerminal;
let rows: z.output<typeof rowSchema> = [];
let listed = '';
let events = '';
let whileGrowing: readonly string[] = [];

const put = (inputs: string, name: string | Buffer, make: Refused['make']): void => {
  const path =
    typeof name === 'string' ? join(inputs, name) : Buffer.concat([Buffer.from(`${inputs}/`), name]);
  if (typeof make !== 'function') writeFileSync(path, make);
  else if (typeof path === 'string') make(path);
};

/** One session on a screen is given everything at once while its first task works, and has to come to its end. */
beforeAll(async () => {
  writeIn(workspace, 'plan.yaml', waitingPlan);
  writeIn(workspace, 'secret', info(secret));
  writeIn(workspace, 'mine', info('through a hard link'));
  screen = openTerminal(['run', '--plan', 'plan.yaml', '--yes'], { cwd: workspace, columns: 240, rows: 90 });
  await screen.waitFor('waiting for first');
  const inputs = join(onlySession(workspace), 'signals/inputs');
  for (const { name, make } of [...refusals, ...heard]) put(inputs, name, make);
  const growing = 'type: INFO\\ntarget: Executor\\nmessage: grown\\n';
  const writer = `printf '${growing}' > signal.growing.yaml; while [ -e ../../../../plan.yaml ] && [ ! -e ../../../../go-growing ]; do sleep 0.1; echo '# more' >> signal.growing.yaml; done; echo ... >> signal.growing.yaml`;
  const grower = spawn('sh', ['-c', writer], { cwd: inputs, stdio: 'ignore' });
  await runProgram(['signal', 'INFO', 'still heard', '--task', 'first'], { cwd: workspace });
  const left = heard.length + 2;
  await screen.waitFor(() => readdirSync(inputs, 'buffer').length <= left, 40_000);
  whileGrowing = readdirSync(inputs);
  release(workspace, 'growing');
  await new Promise((resolve) => grower.on('exit', resolve));
  screen.press('4');
  // On the whole screen a sentence is seen to its end, whatever its file is called.
  screen.press('z');
  events = await screen.waitFor((shown) => refusals.every(({ says }) => shown.includes(says.slice(0, 60))));
  screen.press('z');
  release(workspace, 'first');
  await screen.waitFor('waiting for second');
  release(workspace, 'second');
  await screen.waitFor('Waiting for you');
  rows = rowSchema.parse(await runJson(['signals'], { cwd: workspace }));
  listed = (await runProgram(['signals'], { cwd: workspace })).stdout;
}, 90_000);
afterAll(() => {
  screen.kill('SIGKILL');
  server.close();
  removeTempDir(workspace);
});

test.each(refusals)(
  '$what in the mailbox is put aside with one sentence, on the screen, in the list and beside it',
  ({ shown, says }) => {
    const row = rows.find(({ file }) => file === shown);
    expect(row).toMatchObject({ stage: 'rejected', error: expect.stringContaining(`${shown}: `) });
    expect(row?.error).toContain(says);
    expect(row?.error).not.toMatch(/\n/);
    const rejected = join(onlySession(workspace), 'signals/rejected');
    expect(readFileSync(join(rejected, `${shown}.error.txt`), 'utf8')).toBe(`${row?.error}\n`);
    expect(readdirSync(rejected)).toContain(shown);
    expect(listed).toContain(says);
    expect(events).toContain(says.slice(0, 60));
  },
);

test('what is put aside stays as it was: a link a link, a pipe a pipe, and nobody read through it', () => {
  const rejected = join(onlySession(workspace), 'signals/rejected');
  expect(lstatSync(join(rejected, 'signal.symlink-to-a-secret.yaml')).isSymbolicLink()).toBe(true);
  expect(lstatSync(join(rejected, 'signal.FIFO.yaml')).isFIFO()).toBe(true);
  expect(lstatSync(join(rejected, 'signal.2-GB-sparse.yaml'))).toMatchObject({ size: 2 ** 31 });
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(screen.raw()).not.toContain(secret);
  expect(readFileSync(join(workspace, 'mine'), 'utf8')).toBe(info('through a hard link'));
});

test.each(heard)('$what is a signal like any other, handled once and archived', ({ name, message }) => {
  expect(rows.filter(({ file }) => file === name)).toEqual([
    expect.objectContaining({ stage: 'processed', message, handled_by: 'Ralph-v2-Executor', error: null }),
  ]);
  expect(told()).toContain(message);
});

test('growing file is left alone as long as it grows, and taken whole then', () => {
  expect(whileGrowing).toContain('signal.growing.yaml');
  expect(told().filter((message) => message === 'grown')).toEqual(['grown']);
  expect(sessionText(workspace, 'signals/processed/signal.growing.yaml')).toMatch(/(?:# more\n){20}/);
});

test('nothing else stopped and nothing is lost: every other signal was heard in its order, and both tasks are done', () => {
  expect(told()).toEqual([
    'of 1970',
    'six digits',
    'eight digits',
    ...[
      'through a hard link',
      'not handled',
      'nothing merged',
      'no prototype',
      'turned round',
      'still heard',
      'grown',
    ],
    'of 2099',
  ]);
  expect(screen.screen()).toMatch(/2 of 2 done/);
  expect(rows.filter(({ stage }) => stage === 'pending' || stage === 'claimed')).toEqual([]);
  expect(foreignSoFar(screen.raw())).toBe('');
  expect(foreignIn(listed)).toBe('');
});

/** The messages the first task was told, in their order. */
const told = (): readonly string[] =>
  (/info=\[([^\]]*)/.exec(readFileSync(join(workspace, 'first.txt'), 'utf8'))?.[1] ?? '').split('\n');
