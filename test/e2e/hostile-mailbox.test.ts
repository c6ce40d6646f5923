import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { sha256 } from '../../src/base/hash.io.ts';
import { ownIdentity, readProcess } from '../../src/base/process/process-table.io.ts';
import { formatClaimName, formatOwner } from '../../src/signals/mailbox/owner.ts';
import { paneKey } from '../helpers/pane-key.ts';
import {
  type ProgramOptions,
  type RunningProgram,
  runJson,
  runProgram,
  startProgram,
} from '../helpers/program.ts';
import { foreignIn, foreignSoFar } from '../helpers/raw-bytes.ts';
import { sessionText } from '../helpers/session-files.ts';
import { makeTempDir, removeTempDir } from '../helpers/temp-dir.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { onlySession, release, waitingPlan, workspaceWith, writeIn } from '../helpers/workspace.ts';
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
  // What the task prints, not its command in the plan: its agent looks into the mailbox before it begins, too.
  await screen.waitFor(/│ +waiting for first/);
  const inputs = join(onlySession(workspace), 'signals/inputs');
  for (const { name, make } of [...refusals, ...heard]) put(inputs, name, make);
  // Its last line is never at its end: on a loaded machine the writer may pause for longer than the 250 ms of a file with whole lines.
  const growing = 'type: INFO\\ntarget: Executor\\nmessage: grown\\n#';
  const writer = `printf '${growing}' > signal.growing.yaml; while [ -e ../../../../plan.yaml ] && [ ! -e ../../../../go-growing ]; do sleep 0.1; printf ' more\\n#' >> signal.growing.yaml; done; printf '\\n...\\n' >> signal.growing.yaml`;
  const grower = spawn('sh', ['-c', writer], { cwd: inputs, stdio: 'ignore' });
  await runProgram(['signal', 'INFO', 'still heard', '--task', 'first'], { cwd: workspace });
  const left = heard.length + 2;
  const file = join(inputs, 'signal.growing.yaml');
  // A loaded machine lets it grow slowly. Taken before its time, it is gone.
  const hasGrown = (): boolean =>
    !existsSync(file) || readFileSync(file, 'utf8').split('# more\n').length > 20;
  await screen.waitFor(() => readdirSync(inputs, 'buffer').length <= left && hasGrown());
  whileGrowing = readdirSync(inputs);
  release(workspace, 'growing');
  await new Promise((resolve) => grower.on('exit', resolve));
  screen.press(paneKey('events'));
  // On the whole screen a sentence is seen to its end, whatever its file is called.
  screen.press('z');
  events = await screen.waitFor((shown) => refusals.every(({ says }) => shown.includes(says.slice(0, 60))));
  screen.press('z');
  release(workspace, 'first');
  // Here the events are shown, not what tasks print.
  await screen.waitFor('second $ n=second');
  release(workspace, 'second');
  await screen.waitFor('Waiting for you');
  rows = rowSchema.parse(await runJson(['signals'], { cwd: workspace }));
  listed = (await runProgram(['signals'], { cwd: workspace })).stdout;
});
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

const set = 'type: SET\nset: {concurrency.max_parallel_executors: 2}\n...\n';

/** A session whose first task waits for the test. */
const running = async (options: Partial<ProgramOptions> = {}) => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  if (options.uid !== undefined) execFileSync('chown', ['-R', `${options.uid}:${options.uid}`, workspace]);
  const program = startProgram(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    // Another user may neither write nor read what the other programs of these tests remember.
    ...(options.uid === undefined
      ? {}
      : { env: { XDG_STATE_HOME: join(workspace, 'state'), XDG_CONFIG_HOME: join(workspace, 'config') } }),
    ...options,
  });
  onTestFinished(() => program.kill('SIGKILL'));
  await program.waitFor('first | waiting for first');
  const signals = join(onlySession(workspace), 'signals');
  return {
    workspace,
    program,
    signals,
    inputs: join(signals, 'inputs'),
    processed: join(signals, 'processed'),
  };
};

/** Stopped with SIGSTOP, so that it cannot mend what is half done; goes on afterwards. */
const meanwhile = (program: Pick<RunningProgram, 'kill'>, work: () => void): void => {
  program.kill('SIGSTOP');
  work();
  program.kill('SIGCONT');
};

const finish = async (workspace: string, program: RunningProgram): Promise<string> => {
  release(workspace, 'first');
  release(workspace, 'second');
  const { code, stdout } = await program.done;
  expect(code).toBe(0);
  expect(readFileSync(join(workspace, 'second.txt'), 'utf8')).toBe('second\n');
  return stdout;
};

test('inputs/ replaced by a symlink while running is said, nothing is read or written through it, and the real one is heard again', async () => {
  const { workspace, program, inputs } = await running();
  const trap = join(workspace, 'trap');
  mkdirSync(trap);
  writeFileSync(join(trap, 'signal.abort.yaml'), 'type: ABORT\n...\n');
  meanwhile(program, () => {
    renameSync(inputs, `${inputs}-kept`);
    symlinkSync(trap, inputs);
  });
  const sentence = 'signals/inputs: there is a symbolic link in place of this directory; remove the link';
  await program.waitFor(sentence);
  const refused = await runProgram(['signal', 'INFO', 'into the trap'], { cwd: workspace });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(sentence)]);
  expect(readdirSync(trap)).toEqual(['signal.abort.yaml']);
  meanwhile(program, () => {
    rmSync(inputs);
    renameSync(`${inputs}-kept`, inputs);
  });
  await runJson(['signal', 'INFO', 'heard again', '--task', 'first'], { cwd: workspace });
  expect(await finish(workspace, program)).toMatch(/"heard again" read by/);
  expect(program.output().split(sentence).length).toBeLessThan(4);
});

test('inputs/ deleted while running comes back, what was in it is told as withdrawn, and the next signal is heard', async () => {
  const { workspace, program, inputs } = await running();
  await runJson(['signal', 'INFO', 'soon gone', '--task', 'second'], { cwd: workspace });
  await program.waitFor(/"soon gone" (?:waits|will)/);
  renameSync(inputs, join(workspace, 'moved-away'));
  await program.waitFor(/"soon gone" withdrawn by someone who removed the file/);
  // The directory may have gone while it was being read: then only the next look finds it missing.
  await expect.poll(() => existsSync(inputs)).toBe(true);
  expect(lstatSync(inputs).mode & 0o777).toBe(0o700);
  await runJson(['signal', 'INFO', 'heard after', '--task', 'first'], { cwd: workspace });
  expect(await finish(workspace, program)).toMatch(/"heard after" read by/);
});

test('processed/ with a file in its place is said on the screen; what was acted on is archived when the directory is back', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const screen = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 200 });
  onTestFinished(() => screen.kill('SIGKILL'));
  await screen.waitFor('waiting for first');
  const signals = join(onlySession(workspace), 'signals');
  const processed = join(signals, 'processed');
  meanwhile(screen, () => {
    rmdirSync(processed);
    writeFileSync(processed, 'in the way');
    writeFileSync(join(signals, 'inputs/signal.set.yaml'), set);
  });
  await screen.waitFor(
    'the signal was handled but not archived: the file or its directory no longer exists; restore the directory',
  );
  expect(readdirSync(join(signals, 'claimed'))).toHaveLength(1);
  meanwhile(screen, () => {
    rmSync(processed);
    mkdirSync(processed, { mode: 0o700 });
  });
  release(workspace, 'first');
  release(workspace, 'second');
  await screen.waitFor('Waiting for you');
  expect(readdirSync(processed)).toEqual(['signal.set.yaml']);
  expect(readdirSync(join(signals, 'claimed'))).toEqual([]);
});

// Permissions do not bind root: there the program runs as nobody.
const nobody = process.getuid?.() === 0 ? 65_534 : undefined;

test('processed/ that is read-only is said; what was acted on is archived once it is writable', async () => {
  const { workspace, program, inputs, processed } = await running({
    ...(nobody === undefined ? {} : { uid: nobody }),
  });
  chmodSync(processed, 0o500);
  writeFileSync(join(inputs, 'signal.set.yaml'), set);
  await program.waitFor(
    /signals\/processed.*: the signal was handled but not archived: this account is not allowed to write there; take ownership of the directory and make it writable/,
  );
  chmodSync(processed, 0o700);
  await finish(workspace, program);
  expect(readdirSync(processed)).toEqual(['signal.set.yaml']);
});

/** A claim as a process leaves it that was killed behind its rename. */
const leaveClaim = (
  workspace: string,
  owner: Parameters<typeof formatOwner>[0],
  file: string,
  text: string,
): void => {
  const id = sha256(`${file}\0${text}`);
  writeFileSync(
    join(onlySession(workspace), 'signals/claimed', formatClaimName(id, formatOwner(owner), file)),
    text,
  );
};

test('a claim whose pid was given to another process since is taken over; one whose owner lives is left alone', async () => {
  const { workspace, program, signals } = await running();
  const self = ownIdentity();
  expect(readProcess(process.pid)?.startTime).toBe(self.startTime);
  leaveClaim(workspace, { ...self, startTime: `${Number(self.startTime) - 1}` }, 'signal.reused.yaml', set);
  leaveClaim(workspace, self, 'signal.alive.yaml', set.replace('2', '1'));
  await program.waitFor('settings changed: concurrency.max_parallel_executors = 2');
  await finish(workspace, program);
  expect(readdirSync(join(signals, 'processed'))).toEqual(['signal.reused.yaml']);
  expect(readdirSync(join(signals, 'claimed'))).toHaveLength(1);
  expect(sessionText(workspace, 'journal.jsonl')).not.toContain('signal.alive.yaml');
});

test('the same name twice with the same text is two signals, and both are kept', async () => {
  const { workspace, program, inputs, processed } = await running();
  for (const times of [1, 2]) {
    writeFileSync(join(inputs, 'signal.again.yaml'), set);
    await program.waitFor(new RegExp(`(SET: set [\\s\\S]*){${times}}`));
    expect(readdirSync(processed)).toHaveLength(times);
  }
  await finish(workspace, program);
});

test('1,000 in one second reach the task, each once and in the order of their milliseconds', async () => {
  const { workspace, program, inputs, processed } = await running();
  const numbers = Array.from({ length: 1_000 }, (_, ms) => String(ms).padStart(3, '0'));
  meanwhile(program, () => {
    for (const ms of [...numbers].reverse())
      writeFileSync(
        join(inputs, `signal.260208-143000Z-${ms}.yaml`),
        `type: INFO\ntarget: Executor\ntask: first\nmessage: "${ms}"\n...\n`,
      );
  });
  await program.waitFor(/INFO first "999" (?:waits|will)/);
  expect(program.output()).toContain(
    'problem: signals/inputs: 1000 or more signals are pending; once there are 10000',
  );
  await finish(workspace, program);
  expect(readFileSync(join(workspace, 'first.txt'), 'utf8')).toBe(`steer=[] info=[${numbers.join('\n')}]\n`);
  expect(readdirSync(processed)).toHaveLength(1_000);
});

// The mailbox alone takes as many in test/signals/mailbox-hostile.test.ts, in either form.
test.runIf(isLongForm)(
  '10,000 at once are warned about, an ABORT overtakes them, publishers are refused, and none is lost',
  async () => {
    const { workspace, program, inputs, signals } = await running();
    meanwhile(program, () => {
      for (let at = 0; at < 10_000; at += 1)
        writeFileSync(
          join(inputs, `signal.260208-143000-${String(at).padStart(5, '0')}.yaml`),
          'type: INFO\niteration: 9\nmessage: m\n...\n',
        );
      writeFileSync(join(inputs, 'signal.20991231-235959Z.yaml'), 'type: ABORT\n...\n');
    });
    const { code, stderr } = await runProgram(['signal', 'INFO', 'one more'], { cwd: workspace });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /10000 signals are already waiting, so no more are accepted; let the session read them, or withdraw some/,
      ),
    ]);
    const { code: end, stdout } = await program.done;
    expect(end).toBe(130);
    expect(stdout).toContain('problem: signals/inputs: 1000 or more signals are pending');
    // They are known by their number; a line for each of them would be a flood of its own.
    expect(stdout.match(/ (?:waits|will be read) /g)?.length).toBeLessThanOrEqual(1_001);
    const kept = ['inputs', 'processed', 'claimed', 'rejected'].flatMap((name) =>
      readdirSync(join(signals, name)),
    );
    expect(new Set(kept.filter((name) => name.startsWith('signal.260208'))).size).toBe(10_000);
  },
);
