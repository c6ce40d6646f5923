import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runJson, runProgram, startProgram, startSession } from '../helpers/program.ts';
import { sessionFixture } from '../helpers/session-fixture.ts';
import { canSsh, startSshMachine } from '../helpers/ssh-machine.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen } from '../helpers/terminal.ts';
import { writeIn } from '../helpers/workspace.ts';

// In CI a missing sshd is a failure, not a reason to skip.
const onSsh = process.env['CI'] || canSsh() ? test : test.skip;
if (!canSsh())
  process.stdout.write('skipped: sessions of other machines (openssh-server is not installed)\n');

/** A session that runs on the machine `gpu`, and the environment of a person on this one. */
const sessionThere = async () => {
  const machine = await startSshMachine();
  const [there, here, home] = [tempDir(), tempDir(), tempDir()];
  const gate = join(there, 'gate');
  writeIn(
    there,
    'plan.yaml',
    `goal: Train it\ntasks: [{id: train, title: Train, run: ['echo begun', 'until test -e ${gate}; do sleep 0.1; done', 'echo "$RALPH_STEER" > told.txt', 'sleep 300']}]\n`,
  );
  const command = JSON.stringify(machine.command);
  writeIn(home, 'ralph-tui/config.yaml', `runners: {gpu: {ssh: gpu1, command: ${command}}}\n`);
  const env = { XDG_CONFIG_HOME: home, PATH: `${machine.path}:${process.env['PATH']}` };
  const run = startProgram(['run', '--plan', 'plan.yaml', '--headless'], {
    cwd: there,
    env: { XDG_STATE_HOME: machine.state },
  });
  await run.waitFor('train $ until');
  return { machine, there, here, home, env, gate, run };
};

onSsh(
  'a session of another machine is listed, looked at and steered from here, by its own program',
  async () => {
    const { machine, there, here: cwd, home, env, gate, run } = await sessionThere();
    const [row] = (await runJson(['sessions', '--runners'], { cwd, env })) as { session_id: string }[];
    expect(row).toMatchObject({ runner: 'gpu', workspace: there, status: 'in_progress', goal: 'Train it' });
    const id = row?.session_id ?? '';
    const table = await runProgram(['sessions', '--runners'], { cwd, env });
    expect(table.stdout).toMatch(new RegExp(`^gpu:${id} .*${there} .*Train it`, 'u'));

    expect(await runJson(['status', '--session', `gpu:${id}`], { cwd, env })).toMatchObject({
      session_id: id,
    });
    expect((await runProgram(['signal', 'PAUSE', '--session', 'gpu:latest'], { cwd, env })).stdout).toMatch(
      /^sent PAUSE: /u,
    );
    writeFileSync(gate, '');
    await run.waitFor('paused');
    const steer = ['signal', 'STEER', "turn 'left'; $(touch no)", '--apply', 'adjust', `--session=gpu:${id}`];
    expect((await runProgram(steer, { cwd, env })).code).toBe(0);
    expect((await runProgram(['signal', 'RESUME', '--session', `gpu:${id}`], { cwd, env })).code).toBe(0);
    await run.waitFor('train $ sleep 300');
    expect(run.output()).toContain("turn 'left'; $(touch no)");
    expect([there, cwd].some((place) => existsSync(join(place, 'no')))).toBe(false);

    const watched = startSession(['attach', `gpu:${id}`, '--json'], { cwd, env });
    await watched.waitFor('"command.started"');
    // A word of the program there keeps its exit code.
    const late = await runProgram(['retry', 'nothing', '--session', `gpu:${id}`], { cwd, env });
    expect(late.code).toBe(2);
    expect(late.stderr).toContain('no task "nothing"');
    await runProgram(['signal', 'ABORT', '--session', `gpu:${id}`], { cwd, env });
    expect((await watched.done).code).toBe(130);
    expect((await run.done).code).toBe(130);

    const unknown = await runProgram(['status', '--session', 'gpu:990101-000000'], { cwd, env });
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain(
      'runner gpu: there is no session "990101-000000"; `ralph-tui sessions --runners`',
    );
    const other = await runProgram(['status', '--session', 'cpu:latest'], { cwd, env });
    expect(other.stderr).toContain('unknown runner "cpu"; known: gpu');
    // One machine that is not reached hides no other.
    const command = JSON.stringify(machine.command);
    writeIn(
      home,
      'ralph-tui/config.yaml',
      `runners: {far: {ssh: no-such-alias}, gpu: {ssh: gpu1, command: ${command}}}\n`,
    );
    const some = await runProgram(['sessions', '--runners', '--json'], { cwd, env });
    expect(some.code).toBe(1);
    expect(JSON.parse(some.stdout)).toMatchObject([{ runner: 'gpu', session_id: id }]);
    expect(some.stderr).toMatch(/^ralph-tui: runner far: [^\n]+; add "Host no-such-alias" to [^\n]+\n$/u);
    machine.down();
    const down = await runProgram(['sessions', '--runners'], { cwd, env });
    expect(down.code).toBe(1);
    expect(down.stderr).toMatch(
      /runner gpu: ssh could not connect: .*Connection (?:refused|reset by \S+ port \d+); `ssh gpu1` shows why/u,
    );
  },
);

onSsh(
  'the screen shows a session of another machine, steers it by the same keys, and says when the machine is unreachable',
  async () => {
    const { machine, there, env, gate, run } = await sessionThere();
    const { workspace: cwd, session: own } = sessionFixture('v2.2');
    const rows = (await runJson(['sessions', '--runners'], { cwd, env })) as { session_id: string }[];
    const id = rows.at(-1)?.session_id ?? '';
    // One picker for this machine and the other one.
    const terminal = openScreen(['attach', own], { cwd, env, columns: 120, rows: 36 });
    onTestFinished(() => terminal.kill('SIGKILL'));
    await terminal.waitFor('stopped');
    terminal.press('S');
    await terminal.waitFor(new RegExp(`▌${own}[\\s\\S]* gpu:${id} `, 'u'));
    terminal.press('down');
    await terminal.waitFor(`▌gpu:${id}`);
    terminal.press('enter');
    await terminal.waitFor(/attached @gpu[\s\S]*train/u);
    await terminal.waitFor('begun');
    terminal.press('p');
    await run.waitFor('PAUSE');
    writeFileSync(gate, '');
    await terminal.waitFor(/paused/iu);
    terminal.press('s');
    await terminal.waitFor(/─ Steer ─/u);
    terminal.type('turn left');
    terminal.press('enter');
    await terminal.waitFor('sent: STEER');
    terminal.press('p');
    await run.waitFor('train $ sleep 300');
    expect(run.output()).toContain('turn left');

    terminal.press('S');
    await terminal.waitFor(new RegExp(`gpu:${id} .* · shown now[\\s\\S]*${there}`, 'u'));
    terminal.press('escape');
    machine.down();
    await terminal.waitFor(/ unreachable since \d\d:\d\d @gpu/u);
    await machine.up();
    await terminal.waitFor('attached @gpu');
    terminal.press('R');
    await terminal.waitFor('The session is running');
    await runProgram(['signal', 'ABORT', '--session', `gpu:${id}`], { cwd, env });
    await terminal.waitFor('prints the report');
    const again = openScreen(['attach', 'gpu:latest'], { cwd, env, columns: 120, rows: 36 });
    onTestFinished(() => again.kill('SIGKILL'));
    await again.waitFor(/train[\s\S]*prints the report/u);
    expect((await run.done).code).toBe(130);
  },
);

test("a repository's own runner gets no command before it was accepted", async () => {
  const cwd = tempDir();
  const home = tempDir();
  const env = { XDG_CONFIG_HOME: home };
  writeIn(cwd, '.ralph/config.yaml', 'runners: {gpu: {ssh: evil.example, command: [sh, -c, "touch ran"]}}\n');
  execFileSync('git', ['init', '--quiet'], { cwd });
  for (const words of [
    ['runners', 'check', 'gpu'],
    ['runners', 'install', 'gpu'],
    ['doctor', '--runner', 'gpu'],
    ['status', '--session', 'gpu:latest'],
  ]) {
    const { code, stderr } = await runProgram(words, { cwd, env, asked: true });
    expect(code).toBe(1);
    expect(stderr).toContain(
      "runner gpu is defined in the repository's .ralph/config.yaml, which you have not accepted",
    );
  }
  const listed = await runProgram(['sessions', '--runners'], { cwd, env, asked: true });
  expect(listed.code).toBe(0);
});
