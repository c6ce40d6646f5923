import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ImplementAnswer, implementAnswerSchema } from '../../src/agents/answers.ts';
import type { Backend, Brief, TurnResult } from '../../src/agents/port.ts';
import type { TaskDefinition } from '../../src/tasks/task.ts';
import { abort, briefOf, cancel, go, info, pause, steer, taskOf } from '../helpers/role-port.ts';
import { commands, scriptBackend } from '../helpers/script-backend.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { bench } from '../helpers/worker-bench.ts';

const backend = (): Backend => scriptBackend({ NODE_OPTIONS: '--no-warnings', SECRET_OF_MINE: 'x' });

const work = (task: Partial<TaskDefinition>, some: Partial<Brief> = {}): Brief =>
  briefOf({ workspace: tempDir(), task: taskOf(task), attempt: 1, ...some });

const answer = (result: TurnResult): ImplementAnswer => {
  expect(result.kind).toBe('answered');
  return implementAnswerSchema.parse(result.kind === 'answered' ? result.answer : null);
};

const read = (brief: Brief, file: string): string => readFileSync(join(brief.workspace, file), 'utf8');

describe('commands of a task', () => {
  test('run one by one, in order, with their output, their exit codes and a boundary after each', async () => {
    const brief = work({
      run: commands('echo one | tee log.txt', ['node', '-e', 'console.error("two $HOME")']),
      files: ['log.txt'],
    });
    const at = bench(backend(), brief);
    const done = answer(await at.turn('implement'));
    expect(done.status).toBe('completed');
    expect(done.files_modified).toEqual(['log.txt']);
    expect(at.output()).toBe('one\ntwo $HOME\n');
    expect(at.passed()).toBe(2);
    expect(at.facts.map((fact) => fact.type)).toEqual([
      'command.started',
      'process.started',
      'command.ended',
      'command.started',
      'process.started',
      'command.ended',
    ]);
    expect(at.facts[2]).toMatchObject({ index: 0, exit: '0', ok: true });
    expect(at.facts[3]).toMatchObject({ index: 1, of: 2, purpose: 'run' });
  });

  test('change what a declared pattern matches, and are asked for no file of its name', async () => {
    const brief = work({ run: commands('mkdir src && touch src/a.ts src/b.md'), files: ['src/*.ts'] });
    const done = answer(await bench(backend(), brief).turn('implement'));
    expect(done).toMatchObject({ status: 'completed', files_modified: ['src/a.ts'] });
    expect(done.summary).toEqual(['Changed `src/a.ts`.']);
    const none = work({ run: commands('true'), files: ['src/*.ts'] });
    expect(answer(await bench(backend(), none).turn('implement')).summary).toEqual([
      '`src/*.ts` is declared but does not exist.',
    ]);
  });

  test('show the criteria that they name when they exit 0, and no other', async () => {
    const run = [{ cmd: 'true', shows: ['It runs'] }, { cmd: 'echo two' }];
    const brief = work({ run, criteria: ['it runs', 'users like it'] });
    const { criteria } = answer(await bench(backend(), brief).turn('implement'));
    expect(criteria).toEqual([
      { criterion: 'it runs', status: 'met', evidence: expect.stringMatching(/^`true` exited 0 after /) },
      {
        criterion: 'users like it',
        status: 'not checked',
        evidence: '2 commands exited 0; the Reviewer decides',
      },
    ]);
  });

  test('stop at the first that fails, and the exit code is the blocker', async () => {
    const brief = work({ run: commands('exit 7', 'touch never') });
    const done = answer(await bench(backend(), brief).turn('implement'));
    expect(done.status).toBe('failed');
    expect(done.blockers[0]).toMatch(/^`exit 7` exited 7 after /);
    expect(existsSync(join(brief.workspace, 'never'))).toBe(false);
  });

  test('that fail are told with the end of what they printed, whole readable lines only', async () => {
    const line = 'x'.repeat(20_000);
    const noisy = `seq 1000; echo ${line}; echo "it broke" >&2; printf 'at \\033[31mline\\033[0m 3\\n'; exit 1`;
    const failed = answer(await bench(backend(), work({ run: commands(noisy) })).turn('implement'));
    expect(failed.blockers[0]).toMatch(
      / exited 1 after [^:]*: (?:it broke \/ at line 3|at line 3 \/ it broke)$/,
    );
    const fine = answer(await bench(backend(), work({ run: commands('echo fine') })).turn('implement'));
    expect(fine.verification[0]).toMatch(/ exited 0 after [0-9.]+ m?s$/);
  });

  test('that run too long are stopped and said to have timed out', async () => {
    const brief = work({ run: commands({ cmd: 'sleep 30', timeout_ms: 100 }) });
    const done = answer(await bench(backend(), brief).turn('implement'));
    expect(done.blockers[0]).toMatch(/^`sleep 30` timed out after /);
  });

  test('get the session, the messages so far and a clean environment, which their own env cannot forge', async () => {
    const show =
      'echo "$RALPH_SESSION $RALPH_TASK $RALPH_ATTEMPT $RALPH_ITERATION [$RALPH_STEER] [$RALPH_INFO] $MODE[$SECRET_OF_MINE$NODE_OPTIONS]"';
    const brief = work(
      { run: commands({ cmd: show, env: { MODE: 'fast', RALPH_TASK: 'forged' } }) },
      {
        attempt: 2,
        iteration: 3,
        messages: [steer('first\nline'), info('the target is Firefox'), steer('second')],
      },
    );
    const refused = bench(backend(), brief);
    expect(answer(await refused.turn('implement')).blockers[0]).toContain('a plan must not set RALPH_TASK');
    const honest = { ...brief, task: taskOf({ run: commands({ cmd: show, env: { MODE: 'fast' } }) }) };
    const at = bench(backend(), honest);
    await at.turn('implement');
    expect(at.output()).toBe(
      '260215-101500 task-1 2 3 [first line\nsecond] [the target is Firefox] fast[]\n',
    );
  });

  test('run in their own directory, which must lie inside the workspace', async () => {
    const brief = work({
      run: commands('mkdir pkg', { cmd: 'pwd > here', cwd: 'pkg' }, { cmd: 'pwd', cwd: '../..' }),
    });
    const done = answer(await bench(backend(), brief).turn('implement'));
    expect(read(brief, 'pkg/here')).toBe(`${brief.workspace}/pkg\n`);
    expect(done.blockers[0]).toContain('is outside the workspace');
  });

  test('that are none are not taken for success', async () => {
    const done = answer(await bench(backend(), work({})).turn('implement'));
    expect(done.status).toBe('failed');
    expect(done.blockers[0]).toContain('has nothing to run');
  });

  test('count as changed files only what differs from before', async () => {
    const brief = work({
      run: commands('echo new > made', 'mkdir dir; echo x > dir/in', 'rm gone'),
      files: ['made', 'kept', 'gone', 'dir', '../out', 'never'],
    });
    for (const file of ['kept', 'gone']) writeFileSync(join(brief.workspace, file), 'old');
    const done = answer(await bench(backend(), brief).turn('implement'));
    expect(done.files_modified).toEqual(['dir/in', 'gone', 'made']);
    expect(done.summary).toContain('`never` is declared but does not exist.');
  });
});

describe('a STEER between two commands', () => {
  const three = commands(
    'echo "a:$RALPH_STEER" >> out.txt',
    'echo "b:$RALPH_STEER" >> out.txt',
    'echo "c:$RALPH_STEER" >> out.txt',
  );

  test('that only adds is seen by the commands that follow', async () => {
    const brief = work({ run: three, files: ['out.txt'] });
    const at = bench(backend(), brief, [go(), go(steer('also greet in French'))]);
    const done = answer(await at.turn('implement'));
    expect(read(brief, 'out.txt')).toBe('a:\nb:\nc:also greet in French\n');
    expect(done.steers.map((trace) => trace.action)).toEqual([
      'STEER applied in-place: also greet in French',
    ]);
    expect(at.facts.find((fact) => fact.type === 'steer.decided')).toMatchObject({
      verdict: 'adjust',
      evidence:
        'it contradicts neither the 1 changed file and 2 commands so far nor the objective; the remaining command gets it in RALPH_STEER',
    });
  });

  test('that comes after the last command is said to have been heard by none', async () => {
    const brief = work({ run: three, files: ['out.txt'] });
    const at = bench(backend(), brief, [go(), go(), go(steer('also greet in French'))]);
    const done = answer(await at.turn('implement'));
    expect(read(brief, 'out.txt')).toBe('a:\nb:\nc:\n');
    const late = {
      verdict: 'not followed',
      evidence: 'it came too late, no command was left',
      action: 'STEER had no effect: also greet in French',
    };
    expect(at.facts.find((fact) => fact.type === 'steer.decided')).toMatchObject(late);
    expect(done.steers).toMatchObject([late]);
  });

  test('replaces the commands that are left by `on_steer` when there is one', async () => {
    const brief = work({
      run: three,
      on_steer: commands('echo "again:$RALPH_STEER" >> out.txt'),
      files: ['out.txt'],
    });
    const at = bench(backend(), brief, [go(steer('also greet in French'))]);
    const done = answer(await at.turn('implement'));
    expect(read(brief, 'out.txt')).toBe('a:\nagain:also greet in French\n');
    expect(done.status).toBe('completed');
    expect(at.facts.filter((fact) => fact.type === 'command.started').at(-1)).toMatchObject({
      index: 1,
      of: 2,
      purpose: 'on_steer',
    });
  });

  test('that speaks against a written file runs the task from its first command again, in the same attempt', async () => {
    const brief = work({ run: three, on_steer: commands('echo wrong'), files: ['out.txt'] });
    const at = bench(backend(), brief, [go(), go(steer('out.txt is wrong, greet louder'))]);
    const done = answer(await at.turn('implement'));
    expect(read(brief, 'out.txt')).toBe(
      'a:\nb:\na:out.txt is wrong, greet louder\nb:out.txt is wrong, greet louder\nc:out.txt is wrong, greet louder\n',
    );
    expect(done.steers[0]).toMatchObject({
      verdict: 'restart',
      evidence: 'it contradicts out.txt, which was already changed ("out.txt is wrong")',
      action: 'Restarted due to STEER: out.txt is wrong, greet louder',
    });
    expect(done.verification).toHaveLength(3);
  });

  test('that redefines the task ends the turn as blocked, with the message to escalate', async () => {
    const brief = work({ run: three });
    const at = bench(backend(), brief, [go(steer("Don't build the greeting, build a farewell instead"))]);
    const done = answer(await at.turn('implement'));
    expect(done).toMatchObject({
      status: 'blocked',
      escalation: "Don't build the greeting, build a farewell instead",
      blockers: ["STEER scope change: Don't build the greeting, build a farewell instead"],
    });
    expect(at.passed()).toBe(1);
  });

  test('does what its sender says when it says so', async () => {
    const brief = work({ run: three });
    const at = bench(backend(), brief, [go(steer('out.txt is wrong', 'adjust'), steer('more', 'restart'))]);
    const done = answer(await at.turn('implement'));
    expect(done.steers.map((trace) => trace.verdict)).toEqual(['adjust', 'restart']);
    expect(at.passed()).toBe(4);
  });

  test('after the last command still counts', async () => {
    const brief = work({
      run: commands('echo run >> out.txt'),
      on_steer: commands('echo steered >> out.txt'),
    });
    await bench(backend(), brief, [go(steer('and wave'))]).turn('implement');
    expect(read(brief, 'out.txt')).toBe('run\nsteered\n');
  });

  test('never turns a failed command into success, but a restart runs it again', async () => {
    const run = commands('test -n "$RALPH_STEER"');
    const adjusted = bench(backend(), work({ run, on_steer: commands('true') }), [
      go(steer('more', 'adjust')),
    ]);
    expect(answer(await adjusted.turn('implement')).status).toBe('failed');
    const restarted = bench(backend(), work({ run }), [go(steer('more', 'restart'))]);
    expect(answer(await restarted.turn('implement')).status).toBe('completed');
  });
});

describe('an INFO between two commands', () => {
  test('reaches the next command and changes nothing else', async () => {
    const brief = work({ run: commands('true', 'echo "$RALPH_INFO"'), on_steer: commands('echo no') });
    const at = bench(backend(), brief, [go(info('tabs, not spaces'))]);
    expect(answer(await at.turn('implement')).steers).toEqual([]);
    expect(at.output()).toBe('tabs, not spaces\n');
  });
});

describe('a pause', () => {
  test('keeps what was done: another worker goes on with the next command, also after a restart of the program', async () => {
    const brief = work({
      run: commands('echo a >> out.txt', 'echo "b $RALPH_STEER" >> out.txt', 'echo c >> out.txt'),
      files: ['out.txt'],
    });
    const first = await bench(backend(), brief, [go(info('x')), pause]).turn('implement');
    expect(first.kind).toBe('paused');
    const continuation = JSON.parse(JSON.stringify(first.kind === 'paused' ? first.continuation : null));
    const at = bench(backend(), brief);
    const done = answer(await at.turn('implement', { continuation }));
    expect(read(brief, 'out.txt')).toBe('a\nb \nc\n');
    expect(done.files_modified).toEqual(['out.txt']);
    expect(done.verification).toHaveLength(3);
    expect(at.facts.filter((fact) => fact.type === 'command.started')).toHaveLength(1);
  });

  test('looks at what was queued meanwhile before the next command, with the tree', async () => {
    const brief = work({
      run: commands('echo a >> out.txt', 'echo "b $RALPH_STEER" >> out.txt'),
      files: ['out.txt'],
    });
    const paused = await bench(backend(), brief, [pause]).turn('implement');
    const continuation = paused.kind === 'paused' ? paused.continuation : null;
    const at = bench(backend(), brief);
    const done = answer(
      await at.turn('implement', { continuation }, [steer('out.txt must not be so short')]),
    );
    expect(done.steers.map((trace) => trace.verdict)).toEqual(['restart']);
    expect(read(brief, 'out.txt')).toBe('a\na\nb out.txt must not be so short\n');
  });

  test('may come again at once', async () => {
    const brief = work({ run: commands('echo a >> out.txt', 'echo b >> out.txt') });
    const first = await bench(backend(), brief, [pause]).turn('implement');
    const second = await bench(backend(), brief, [pause]).turn('implement', {
      continuation: first.kind === 'paused' ? first.continuation : null,
    });
    expect(second.kind).toBe('paused');
    expect(read(brief, 'out.txt')).toBe('a\n');
  });
});

describe('an end before the end', () => {
  test('by ABORT or CANCEL at a boundary starts nothing more', async () => {
    for (const [directive, why] of [
      [abort, 'abort'],
      [cancel, 'cancel'],
    ] as const) {
      const brief = work({ run: commands('true', 'touch never') });
      expect(await bench(backend(), brief, [directive]).turn('implement')).toEqual({ kind: 'stopped', why });
      expect(existsSync(join(brief.workspace, 'never'))).toBe(false);
    }
  });

  test('by stop() ends a command that prints for ever', async () => {
    const brief = work({ run: commands('yes', 'touch never') });
    const at = bench(backend(), brief);
    const turn = at.turn('implement');
    await at.printed(100_000);
    await at.worker.stop('cancel');
    expect(await turn).toEqual({ kind: 'stopped', why: 'cancel' });
    expect(at.facts.at(-1)).toMatchObject({ type: 'command.ended', ok: false });
    expect(existsSync(join(brief.workspace, 'never'))).toBe(false);
  });
});

describe('hostile words', () => {
  test('in an argv are words and nothing else', async () => {
    const words = ['; rm -rf .', '$(touch never)', '`touch never`', '-n', '--version', 'a\nb', '* ?'];
    const brief = work({
      run: commands(['printf', '%s|', ...words]),
      title: '; rm -rf',
      objective: '$(touch never)',
    });
    const at = bench(backend(), brief);
    expect(answer(await at.turn('implement')).status).toBe('completed');
    expect(at.output()).toBe(`${words.join('|')}|`);
    expect(existsSync(join(brief.workspace, 'never'))).toBe(false);
  });

  test('in messages reach a command as text of a variable', async () => {
    const brief = work(
      { run: commands('printf %s "$RALPH_STEER"') },
      { messages: [steer('$(touch never); `touch never`\0')] },
    );
    const at = bench(backend(), brief);
    await at.turn('implement');
    expect(at.output()).toBe('$(touch never); `touch never`');
  });

  test('a program that does not exist is a result, not a crash', async () => {
    const done = answer(
      await bench(backend(), work({ run: commands(['-no-such-program']) })).turn('implement'),
    );
    expect(done.status).toBe('failed');
    expect(done.blockers[0]).toBe('-no-such-program: command not found');
  });

  test('a plan cannot make other programs run its code', async () => {
    for (const name of ['LD_PRELOAD', 'NODE_OPTIONS', 'GIT_SSH_COMMAND', 'BASH_ENV']) {
      const brief = work({ run: commands({ cmd: 'touch never', env: { [name]: 'x' } }) });
      expect(answer(await bench(backend(), brief).turn('implement')).blockers[0]).toContain(
        `must not set ${name}`,
      );
      expect(existsSync(join(brief.workspace, 'never'))).toBe(false);
    }
  });
});
