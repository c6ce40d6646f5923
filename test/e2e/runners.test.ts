import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { version } from '../../src/cli/version.ts';
import { wideningSettings } from '../../src/session/settings/widening-settings.ts';
import {
  cleanEnvironment,
  programFile,
  runJson,
  runProgram,
  startProgram,
  startSession,
} from '../helpers/program.ts';
import { canSsh, commandsWith, type SshMachine, startSshMachine } from '../helpers/ssh-machine.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { writeIn } from '../helpers/workspace.ts';

// In CI a missing sshd is a failure, not a reason to skip.
const onSsh = process.env['CI'] || canSsh() ? test : test.skip;
if (!canSsh()) process.stdout.write('skipped: runners over ssh (openssh-server is not installed)\n');

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();

interface Setup {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly machine: SshMachine;
}

/** A repository with a plan, and a configuration whose runner `gpu` is that machine. */
const setUp = async (plan: string, more = ''): Promise<Setup> => {
  const machine = await startSshMachine();
  const cwd = tempDir();
  const home = tempDir();
  const command = JSON.stringify(machine.command);
  writeIn(
    home,
    'ralph-tui/config.yaml',
    `runners: {gpu: {ssh: gpu1, slots: 2, command: ${command}}}\n${more}`,
  );
  writeIn(cwd, 'plan.yaml', plan);
  writeIn(cwd, 'a.txt', 'first\n');
  git(cwd, 'init', '--quiet', '--initial-branch=main');
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '-m', 'first');
  const env = { XDG_CONFIG_HOME: home, PATH: `${machine.path}:${process.env['PATH']}` };
  return { cwd, env, machine };
};

/** Each finding on one line. */
const unwrapped = (text: string): string => text.replaceAll(/\n +/gu, ' ');

const branchOf = (cwd: string): string =>
  git(cwd, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph/');

onSsh('a plan is worked on on another machine, and its result is checked and merged here', async () => {
  const plan = `goal: there
tasks:
  - {id: one, title: One, run: ['pwd > where.txt', 'echo more >> a.txt', 'echo loud'], verify: ['test -s where.txt']}
  - {id: two, title: Two, blockedBy: [one], run: ['cat a.txt > b.txt']}
  - {id: own, title: Own, on: local, run: ['pwd > here.txt']}
`;
  const { cwd, env, machine } = await setUp(plan);
  const run = await runProgram(['run', '--plan', 'plan.yaml', '--on', 'gpu', '--at-end', 'keep', '--json'], {
    cwd,
    env,
  });
  expect(run.stderr).toBe('');
  expect(run.code).toBe(0);
  const branch = branchOf(cwd);
  expect(git(cwd, 'show', `${branch}:where.txt`)).toContain(join(machine.state, 'ralph-tui/runner/work'));
  expect(git(cwd, 'show', `${branch}:here.txt`)).not.toContain(machine.state);
  expect(git(cwd, 'show', `${branch}:b.txt`)).toBe('first\nmore');
  const started = run.stdout
    .split('\n')
    .filter((line) => line.includes('"invocation.started"'))
    .map((line) => JSON.parse(line));
  const places = started
    .filter(({ task }) => task !== undefined)
    .map(({ task, mode, runner = 'local' }) => `${task} ${mode} ${runner}`);
  // Its word about its own work is no proof.
  expect(new Set(places)).toEqual(
    new Set([
      'one IMPLEMENT gpu',
      'one TASK_REVIEW local',
      'two IMPLEMENT gpu',
      'two TASK_REVIEW local',
      'own IMPLEMENT local',
      'own TASK_REVIEW local',
    ]),
  );
  expect(run.stdout).toContain('loud');
  // Nothing is left there but the copy of the repository, and no process.
  await expect.poll(() => machine.keepers()).toEqual([]);
  expect(readdirSync(join(machine.state, 'ralph-tui/runner/work'))).toEqual([]);
  expect(git(cwd, 'for-each-ref', 'refs/ralph/runners')).toBe('');
});

onSsh('a command agent works there with its prompt, and what it prints is seen here', async () => {
  const agent = `agents: {mine: {type: command, command: [sh, -c, 'cat > prompt.txt; pwd; echo "{\\"status\\":\\"completed\\",\\"success_criteria_met\\":true}"']}}\n`;
  const { cwd, env, machine } = await setUp(
    'goal: x\ntasks: [{id: a, title: A, objective: Do it., agent: mine, on: [gpu]}]\n',
    agent,
  );
  const run = await runProgram(
    [
      'run',
      '--plan',
      'plan.yaml',
      '--permissions',
      'all',
      '--at-end',
      'keep',
      '--headless',
      '--no-discovery',
    ],
    { cwd, env },
  );
  expect(run.stderr).toBe('');
  expect(run.code).toBe(0);
  const prompt = git(cwd, 'show', `${branchOf(cwd)}:prompt.txt`);
  expect(prompt).toContain(`Workspace: ${join(machine.state, 'ralph-tui/runner/work')}`);
  expect(prompt).not.toContain('/worktrees/');
});

onSsh('a runner is checked, and what is wrong with it is one sentence with what to do', async () => {
  const { cwd, env, machine } = await setUp('goal: x\ntasks: [{title: A, run: [echo a]}]\n');
  expect(await runJson(['runners'], { cwd, env })).toEqual([
    { name: 'gpu', kind: 'ssh', target: 'gpu1', slots: 2 },
  ]);
  const findings = await runJson(['runners', 'check', 'gpu'], { cwd, env });
  expect(findings).toContainEqual(expect.objectContaining({ check: 'runner gpu: program', ok: true }));
  expect(await runJson(['doctor', '--runner', 'gpu'], { cwd, env })).toContainEqual(
    expect.objectContaining({ check: 'runner gpu: git', ok: true }),
  );
  const sentence = async (): Promise<string> =>
    unwrapped((await runProgram(['runners', 'check', 'gpu'], { cwd, env })).stdout);

  const known = readFileSync(join(machine.directory, 'known'), 'utf8');
  writeFileSync(join(machine.directory, 'known'), '');
  expect(await sentence()).toMatch(
    /its host key is unknown: run `ssh gpu1`, compare the key, and accept it once/,
  );
  const [, , key = ''] = known.split(' ');
  const other =
    execFileSync('ssh-keygen', ['-y', '-f', join(machine.directory, 'user')], { encoding: 'utf8' }).split(
      ' ',
    )[1] ?? '';
  writeFileSync(join(machine.directory, 'known'), known.replace(key.trim(), other));
  expect(await sentence()).toMatch(/its host key has changed: ask the owner of gpu1/);
  writeFileSync(join(machine.directory, 'known'), known);

  const config = readFileSync(join(machine.directory, 'config'), 'utf8');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(machine.directory, 'stranger')]);
  writeFileSync(
    join(machine.directory, 'config'),
    config.replace(/IdentityFile \S+/, `IdentityFile ${join(machine.directory, 'stranger')}`),
  );
  expect(await sentence()).toMatch(
    /Permission denied.*the server accepts none of your keys: `ssh-copy-id gpu1`/,
  );
  writeFileSync(join(machine.directory, 'config'), config.replace('Host gpu1', 'Host other'));
  expect(await sentence()).toMatch(/Could not resolve hostname.*add "Host gpu1" to ~\/.ssh\/config/);
  writeFileSync(join(machine.directory, 'config'), config);

  writeIn(
    env['XDG_CONFIG_HOME'] ?? '',
    'ralph-tui/config.yaml',
    'runners: {gpu: {ssh: gpu1, command: [no-such-program]}}\n',
  );
  expect(await sentence()).toMatch(
    /the program was not found there.*runners\.gpu\.command names the remote program: correct it, or remove it and run `ralph-tui runners install gpu`/,
  );
  machine.down();
  expect(await sentence()).toMatch(/ssh could not connect: .*Connection refused; `ssh gpu1` shows why/);
});

onSsh('the program is installed on a runner by its own command', async () => {
  const { cwd, env, machine } = await setUp('goal: x\ntasks: [{title: A, run: [echo a]}]\n');
  // The node there is the test's own.
  const config = readFileSync(join(machine.directory, 'sshd_config'), 'utf8');
  const home = join(machine.directory, 'home');
  machine.down();
  const variables = `HOME=${home} "PATH=${join(process.execPath, '..')}:/usr/bin:/bin" XDG_STATE_HOME=${machine.state}`;
  writeFileSync(
    join(machine.directory, 'sshd_config'),
    config.replace(/^SetEnv .*$/mu, `SetEnv ${variables}`),
  );
  await machine.up();
  writeIn(env['XDG_CONFIG_HOME'] ?? '', 'ralph-tui/config.yaml', 'runners: {gpu: {ssh: gpu1}}\n');
  const before = await runProgram(['runners', 'check', 'gpu'], { cwd, env });
  expect(unwrapped(before.stdout)).toMatch(
    /not found there: Cannot find module '\S+ralph-tui\.js'; `ralph-tui runners install gpu` installs this version/,
  );
  // npm starts the program by a link in a directory with other programs.
  const bin = tempDir();
  symlinkSync(programFile, join(bin, 'ralph-tui'));
  writeIn(bin, 'other', 'another program\n');
  const stdout = execFileSync(process.execPath, [join(bin, 'ralph-tui'), 'runners', 'install', 'gpu'], {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^Copied to ~\/\.local\/share\/ralph-tui\/\S+ on gpu, which has Node v/);
  expect((await runProgram(['runners', 'check', 'gpu'], { cwd, env })).code).toBe(0);
  expect(readdirSync(join(home, '.local/share/ralph-tui', version))).not.toContain('other');
});

onSsh(
  'the network breaks while a task runs there: its agent works on, and everything arrives once',
  async () => {
    const plan = `goal: x
tasks: [{id: slow, title: Slow, run: ['echo begun', 'until test -e ${'GATE'}; do sleep 0.1; done; echo over >> a.txt', 'echo last']}]
`;
    const gate = join(tempDir(), 'gate');
    const { cwd, env, machine } = await setUp(plan.replace('GATE', gate));
    const run = startSession(
      ['run', '--plan', 'plan.yaml', '--on', 'gpu', '--at-end', 'keep', '--headless'],
      { cwd, env },
    );
    await run.waitFor('slow ok after');
    machine.down();
    await run.waitFor(/runner gpu is unreachable: .*; its agents keep working until/u);
    writeFileSync(gate, '');
    await machine.up();
    await run.waitFor(/runner gpu reached: .*runner gpu is unreachable.*runner gpu reached: /su);
    const { code, stdout } = await run.done;
    expect(code).toBe(0);
    expect(git(cwd, 'show', `${branchOf(cwd)}:a.txt`)).toBe('first\nover');
    expect(stdout.match(/slow ok after/gu)).toHaveLength(3);
    expect(stdout.match(/slow started/gu)).toHaveLength(1);
  },
);

/** Waits for a gate, which the first attempt does not find: it says so. After `orphanAfter` a runner gives up, on a loaded machine also beside a host that is only slow. */
const gated = (gate: string, orphanAfter = '10m'): string => `goal: x
tasks: [{id: slow, title: Slow, run: ['echo half > half.txt', 'test -e ${gate} || { echo no gate; sleep 300; }', 'echo over >> a.txt']}]
settings: {timeouts: {orphan_after: ${orphanAfter}}}
`;

const lateOf = (cwd: string): readonly string[] =>
  git(cwd, 'for-each-ref', '--format=%(refname)', 'refs/ralph/late').split('\n').filter(Boolean);

onSsh(
  'the program there is killed: its agent is stopped, its work is kept, and the next attempt does the task once',
  async () => {
    const gate = join(tempDir(), 'gate');
    const { cwd, env, machine } = await setUp(gated(gate));
    const run = startSession(
      ['run', '--plan', 'plan.yaml', '--on', 'gpu', '--at-end', 'keep', '--headless'],
      { cwd, env },
    );
    await run.waitFor('slow | no gate');
    writeFileSync(gate, '');
    expect(machine.killKeepers('SIGKILL')).toHaveLength(1);
    const { code, stdout } = await run.done;
    expect(stdout).toMatch(/it was restarted and has lost its work/u);
    expect(code).toBe(0);
    expect(git(cwd, 'show', `${branchOf(cwd)}:a.txt`)).toBe('first\nover');
    expect(lateOf(cwd)).toHaveLength(1);
    expect(git(cwd, 'show', `${lateOf(cwd)[0]}:half.txt`)).toBe('half');
    await expect.poll(() => machine.keepers()).toEqual([]);
    expect(commandsWith(machine.state)).toEqual([]);
  },
);

onSsh(
  'the host is killed: the runner stops its agent by itself, and the work comes when the session continues',
  async () => {
    const gate = join(tempDir(), 'gate');
    const { cwd, env, machine } = await setUp(gated(gate, '3s'));
    const words = ['--on', 'gpu', '--at-end', 'keep', '--headless'];
    const run = startProgram(['run', '--plan', 'plan.yaml', ...words], { cwd, env });
    await run.waitFor('slow | no gate');
    run.kill('SIGKILL');
    await expect.poll(() => commandsWith(machine.state)).toEqual([]);
    await expect.poll(() => machine.keepers()).toEqual([]);
    writeFileSync(gate, '');
    const again = await runProgram(['resume', ...words], { cwd, env });
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/runner gpu delivered late work from slow: kept in refs\/ralph\/late\//u);
    expect(git(cwd, 'show', `${branchOf(cwd)}:a.txt`)).toBe('first\nover');
    expect(git(cwd, 'show', `${lateOf(cwd)[0]}:half.txt`)).toBe('half');
  },
);

// In the short form the test of the ABORT below shows that the agents end, and `runners/crash.test.ts` that the work is taken over.
(isLongForm ? onSsh : test.skip)(
  'a killed host that continues at once ends what its agents there still do, and takes it over',
  async () => {
    const gate = join(tempDir(), 'gate');
    const { cwd, env, machine } = await setUp(gated(gate));
    const words = ['--on', 'gpu', '--at-end', 'keep', '--headless'];
    const run = startProgram(['run', '--plan', 'plan.yaml', ...words], { cwd, env });
    await run.waitFor('slow | no gate');
    run.kill('SIGKILL');
    await run.done;
    expect(machine.keepers()).toHaveLength(1);
    writeFileSync(gate, '');
    const again = await runProgram(['resume', ...words], { cwd, env });
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('runner gpu delivered late work from slow');
    expect(git(cwd, 'show', `${branchOf(cwd)}:a.txt`)).toBe('first\nover');
    expect(git(cwd, 'show', `${lateOf(cwd)[0]}:half.txt`)).toBe('half');
    await expect.poll(() => machine.keepers()).toEqual([]);
    expect(commandsWith(machine.state)).toEqual([]);
  },
);

onSsh(
  'an ABORT of a killed host leaves nothing running there, once the session says that it is aborted',
  async () => {
    const gate = join(tempDir(), 'gate');
    const { cwd, env, machine } = await setUp(gated(gate));
    const words = ['--on', 'gpu', '--at-end', 'keep', '--headless'];
    const run = startProgram(['run', '--plan', 'plan.yaml', ...words], { cwd, env });
    await run.waitFor('slow | no gate');
    run.kill('SIGKILL');
    await run.done;
    await runProgram(['signal', 'ABORT'], { cwd, env });
    expect((await runProgram(['resume', ...words], { cwd, env })).code).toBe(130);
    expect(commandsWith(machine.state)).toEqual([]);
  },
);

onSsh(
  'PAUSE, STEER and RESUME reach a task on another machine, and ABORT leaves nothing running there',
  async () => {
    const gate = join(tempDir(), 'gate');
    const plan = `goal: x
tasks: [{id: slow, title: Slow, run: ['until test -e ${gate}; do sleep 0.1; done', 'echo "$RALPH_STEER" > told.txt', 'sleep 300']}]
`;
    const { cwd, env, machine } = await setUp(plan);
    const run = startSession(
      ['run', '--plan', 'plan.yaml', '--on', 'gpu', '--at-end', 'keep', '--headless'],
      { cwd, env },
    );
    await run.waitFor('slow $ until');
    await runProgram(['signal', 'PAUSE'], { cwd, env });
    writeFileSync(gate, '');
    await run.waitFor('slow paused');
    await runProgram(['signal', 'STEER', 'turn left', '--apply', 'adjust'], { cwd, env });
    await runProgram(['signal', 'RESUME'], { cwd, env });
    await run.waitFor('slow $ sleep 300');
    await runProgram(['signal', 'ABORT'], { cwd, env });
    const { code, stdout } = await run.done;
    expect(code).toBe(130);
    expect(stdout).toContain('turn left');
    expect(commandsWith(machine.state)).toEqual([]);
  },
);

onSsh(
  'ABORT while the machine is unreachable says what was not reached, and when it stops by itself',
  async () => {
    const plan =
      'goal: x\ntasks: [{id: slow, title: Slow, run: [echo a, sleep 300]}]\nsettings: {timeouts: {abort_grace: 1s}}\n';
    const { cwd, env, machine } = await setUp(plan);
    const run = startProgram(
      ['run', '--plan', 'plan.yaml', '--on', 'gpu', '--at-end', 'keep', '--headless'],
      { cwd, env },
    );
    await run.waitFor('slow $ sleep 300');
    machine.down();
    await run.waitFor('runner gpu is unreachable');
    await runProgram(['signal', 'ABORT'], { cwd, env });
    expect((await run.done).code).toBe(130);
    const signals = await runJson(['signals'], { cwd, env });
    expect(signals).toContainEqual(
      expect.objectContaining({
        type: 'ABORT',
        action_taken: expect.stringMatching(
          /^aborted; runner gpu has been unreachable since \S+, and will stop its agents at \S+$/u,
        ),
      }),
    );
  },
);

test('an unknown runner and a place without worktrees are refused before anything starts', async () => {
  const cwd = tempDir();
  writeIn(cwd, 'plan.yaml', 'goal: x\ntasks: [{id: a, title: A, on: gpx, run: [echo a]}]\n');
  const home = tempDir();
  const env = { XDG_CONFIG_HOME: home };
  writeIn(home, 'ralph-tui/config.yaml', 'runners: {gpu: {ssh: gpu1}}\n');
  const unknown = await runProgram(['run', '--plan', 'plan.yaml'], { cwd, env });
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('task a: unknown runner "gpx"; known: gpu, local');
  writeIn(cwd, 'plan.yaml', 'goal: x\ntasks: [{id: a, title: A, run: [echo a]}]\n');
  writeIn(home, 'ralph-tui/config.yaml', 'runners: {gpu: {ssh: gpu1}}\nisolation: shared\n');
  const shared = await runProgram(['run', '--plan', 'plan.yaml', '--on', 'gpu'], { cwd, env });
  expect(shared.code).toBe(2);
  expect(shared.stderr).toContain('isolation: shared rules it out; set isolation: worktree');
  writeIn(home, 'ralph-tui/config.yaml', 'runners: {gpu: {ssh: "-oProxyCommand=x"}}\n');
  const option = await runProgram(['run', '--plan', 'plan.yaml', '--on', 'gpu'], { cwd, env });
  expect(option.code).toBe(2);
  expect(option.stderr).toMatch(/runners\.gpu\.ssh.*not starting with -/);
});

test("a repository's own runner is shown and asked about before it gets the files", async () => {
  const cwd = tempDir();
  writeIn(cwd, '.ralph/config.yaml', 'runners: {gpu: {ssh: evil.example}}\non: {all: gpu}\n');
  writeIn(cwd, 'plan.yaml', 'goal: x\ntasks: [{id: a, title: A, run: [echo a]}]\n');
  const run = await runProgram(['run', '--plan', 'plan.yaml', '--headless'], { cwd, asked: true });
  expect(run.code).toBe(3);
  expect(run.stderr).toMatch(/confirmation is needed: [^;\n]*\.ralph\/config\.yaml sets 2 keys/);
  expect(
    wideningSettings({ runners: { gpu: { ssh: 'evil.example', slots: 1 } }, on: { all: 'gpu' } }),
  ).toEqual(['runners: {"gpu":{"ssh":"evil.example","slots":1}}', 'on: {"all":"gpu"}']);
});

test('work that is placed never runs here instead: no repository, a loop, and a shared session are refused', async () => {
  const home = tempDir();
  const cwd = tempDir();
  const env = { XDG_CONFIG_HOME: home };
  writeIn(home, 'ralph-tui/config.yaml', 'runners: {jail: {sandbox: bwrap}}\n');
  writeIn(cwd, 'plan.yaml', 'goal: x\ntasks: [{id: a, title: A, run: [touch ran-here]}]\n');
  const bare = await runProgram(['run', '--plan', 'plan.yaml', '--on', 'jail', '--headless'], { cwd, env });
  expect(bare.code).not.toBe(0);
  expect(bare.stderr).toMatch(
    /a task on a runner needs a worktree of its own\. .*git.*; fix that, or remove `on:/,
  );
  expect(readdirSync(cwd)).not.toContain('ran-here');
  expect(sessionsIn(cwd)).toEqual([]);
  writeIn(
    home,
    'ralph-tui/config.yaml',
    'runners: {jail: {sandbox: bwrap}}\nloop: {run: [touch ran-here]}\n',
  );
  const placed = await runProgram(['run', '--mode', 'loop', 'Do it', '--on', 'jail', '--headless'], {
    cwd,
    env,
  });
  expect(placed.code).toBe(2);
  expect(placed.stderr).toContain('a loop works in the workspace itself; remove `on:`');
  // A session that shares the workspace is not moved by a later configuration.
  const shared = await runProgram(['run', '--plan', 'plan.yaml', '--headless'], { cwd, env });
  expect(shared.code).toBe(0);
  writeIn(cwd, 'plan2.yaml', 'goal: y\ntasks: [{id: b, title: B, run: [touch ran-b, "test -e gate"]}]\n');
  expect((await runProgram(['run', '--plan', 'plan2.yaml', '--headless'], { cwd, env })).code).not.toBe(0);
  const later = await runProgram(['resume', '--on', 'jail', '--headless'], { cwd, env });
  expect(later.code).toBe(2);
  expect(later.stderr).toContain('the tasks of this session share the workspace; remove `on:`');
  writeIn(home, 'ralph-tui/config.yaml', 'on: {all: gone}\n');
  const gone = await runProgram(['resume', '--headless'], { cwd, env });
  expect(gone.code).toBe(2);
  expect(gone.stderr).toContain('unknown runner "gone"');
});

const sessionsIn = (cwd: string): readonly string[] => {
  try {
    return readdirSync(join(cwd, '.ralph-sessions')).filter((name) => /^\d{6}-\d{6}$/u.test(name));
  } catch {
    return [];
  }
};

onSsh('what a session needs of its runners is looked for before it starts', async () => {
  const { cwd, env, machine } = await setUp(
    'goal: x\ntasks: [{id: a, title: A, objective: Do it., agent: mine}]\n',
    'agents: {mine: {type: command, command: [only-there]}}\n',
  );
  const run = () =>
    runProgram(
      ['run', '--plan', 'plan.yaml', '--on', 'gpu', '--permissions', 'all', '--headless', '--no-discovery'],
      { cwd, env },
    );
  // It works there only: nothing of it is wanted here.
  const absent = await run();
  expect(absent.code).not.toBe(0);
  expect(absent.stderr).toMatch(/runner gpu: mine is not installed there: only-there was not found; put/);
  machine.down();
  const unreached = await run();
  expect(unreached.code).not.toBe(0);
  expect(unreached.stderr).toMatch(/ssh could not connect: .*Connection refused.*`ssh gpu1` shows why/s);
  expect(sessionsIn(cwd)).toEqual([]);
});

onSsh(
  'a machine without git, with a full disk and a clock ten minutes off says each in one sentence',
  async () => {
    const { cwd, env, machine } = await setUp('goal: x\ntasks: [{id: a, title: A, run: [touch here]}]\n');
    const [, ...program] = machine.command;
    const there = async (variables: readonly string[]): Promise<string> => {
      machine.killKeepers('SIGKILL');
      const command = JSON.stringify(['env', ...variables, ...program]);
      writeIn(
        env['XDG_CONFIG_HOME'] ?? '',
        'ralph-tui/config.yaml',
        `runners: {gpu: {ssh: gpu1, command: ${command}}}\n`,
      );
      return unwrapped((await runProgram(['runners', 'check', 'gpu'], { cwd, env })).stdout);
    };
    /** Runs before the program there, as its clock and its disk would. */
    const first = (script: string): string =>
      `NODE_OPTIONS=--import=data:text/javascript,${encodeURIComponent(script)}`;
    const run = () => runProgram(['run', '--plan', 'plan.yaml', '--on', 'gpu', '--headless'], { cwd, env });

    expect(await there(['PATH=/nowhere'])).toMatch(
      /wrong\s+runner gpu: git\s+none\s+git was not found there, but it is needed to transfer work; install git there/,
    );
    expect((await run()).stderr).toMatch(/runner gpu: git was not found there.*; install git there/);
    const disk =
      "import fs from 'node:fs';import {syncBuiltinESMExports as s} from 'node:module';fs.statfsSync=()=>({bavail:1,bsize:4096});s()";
    expect(await there([first(disk)])).toMatch(
      /wrong\s+runner gpu: disk\s+0\.0 GB\s+the disk there is almost full; free some space in its home directory/,
    );
    expect((await run()).stderr).toMatch(
      /runner gpu: the disk there is full; free some space in its home directory/,
    );
    expect(await there([first('const n=Date.now;Date.now=()=>n()+6e5')])).toMatch(
      /wrong\s+runner gpu: clock\s+10 min ahead\s+its clock is 10 min ahead; synchronise it with a time server \(NTP\)/,
    );
    // Nothing is decided by that clock: the work is done all the same.
    expect((await run()).code).toBe(0);
    expect(sessionsIn(cwd)).toHaveLength(1);
  },
);
