import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reviewAnswerSchema, sessionReviewAnswerSchema } from '../../src/agents/answers.ts';
import type { Brief } from '../../src/agents/port.ts';
import type { TaskDefinition } from '../../src/tasks/task.ts';
import { briefOf, go, pause, reviewBriefOf, steer, taskOf } from '../helpers/role-port.ts';
import { commands, scriptBackend } from '../helpers/script-backend.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { answerOf, bench } from '../helpers/worker-bench.ts';

const work = (task: Partial<TaskDefinition>, some: Partial<Brief> = {}): Brief =>
  reviewBriefOf(task, { workspace: tempDir(), ...some });

const judge = async (brief: Brief, ...directives: Parameters<typeof bench>[2] & {}) =>
  reviewAnswerSchema.parse(answerOf(await bench(scriptBackend(), brief, directives).turn('review')));

describe('a review', () => {
  test('qualifies what every verify command and every declared file bears out', async () => {
    const brief = work({
      verify: commands('test -s out.txt', 'grep -q hello out.txt'),
      files: ['out.txt'],
      criteria: ['out.txt says hello'],
    });
    writeFileSync(join(brief.workspace, 'out.txt'), 'hello');
    const answer = await judge(brief);
    expect(answer).toMatchObject({ verdict: 'Qualified', issues: [] });
    expect(answer.actions).toHaveLength(3);
  });

  test('a criterion is met only by its own evidence, and not because something else exited 0', async () => {
    const brief = work({
      verify: [
        { cmd: 'true' },
        { cmd: 'grep -q hello out.txt', shows: ['out.txt says hello'] },
        { cmd: 'exit 4', shows: ['it is fast'] },
      ],
      files: ['out.txt'],
      criteria: ['out.txt says hello', 'out.txt exists', 'it is fast', 'users like it', '`true` exits 0'],
    });
    writeFileSync(join(brief.workspace, 'out.txt'), 'hello');
    const answer = await judge(brief);
    expect(answer.criteria.map(({ status }) => status)).toEqual([
      'met',
      'met',
      'not met',
      'not checked',
      'met',
    ]);
    expect(answer.criteria[0]?.evidence).toMatch(/^`grep -q hello out\.txt` exited 0 after /);
    expect(answer.criteria[3]?.evidence).toBe('no verify command covers this');
  });

  test('takes a run command that names a criterion as its evidence, where each of them was run', async () => {
    const criterion = '`npm run test` exits with 0';
    const run = [{ cmd: ['npm', 'run', 'test'], shows: [criterion] }];
    const task = { criteria: [criterion, 'it is fast'], run };
    const statuses = async (some: Partial<TaskDefinition>) =>
      (await judge(work({ ...task, ...some }))).criteria.map(({ status }) => status);
    const { criteria } = await judge(work(task));
    expect(criteria[0]).toEqual({
      criterion,
      status: 'met',
      evidence: '`npm run test` exited 0 in the attempt',
    });
    expect(await statuses({})).toEqual(['met', 'not checked']);
    // Other commands, or an agent, may have worked instead.
    expect(await statuses({ on_steer: commands('true') })).toEqual(['not checked', 'not checked']);
    expect(await statuses({ agent: 'claude' })).toEqual(['not checked', 'not checked']);
  });

  test('verifying before a review runs the commands alone, and keeps the end of what they printed', async () => {
    const brief = work({ verify: commands('echo one; echo two', 'echo three; exit 2'), files: ['gone.txt'] });
    const turn = await bench(scriptBackend(), brief).turn('verify');
    const answer = reviewAnswerSchema.parse(answerOf(turn));
    expect(answer.verdict).toBe('Failed');
    expect(answer.issues).toEqual([expect.stringMatching(/^`echo three; exit 2` exited 2 after .*three\.$/)]);
    expect(answer.verification).toMatchObject([
      { exit: '0', output: 'one\ntwo' },
      { exit: '2', output: 'three' },
    ]);
  });

  test('runs every command though one failed, and says what failed and what is missing', async () => {
    const brief = work({
      verify: commands('exit 3', 'touch seen'),
      files: ['result.json', 'seen'],
      criteria: ['result.json is there', 'it is fast'],
    });
    const answer = await judge(brief);
    expect(answer.verdict).toBe('Failed');
    expect(answer.issues[0]).toMatch(/^`exit 3` exited 3 after /);
    expect(answer.issues[1]).toBe('`result.json` is declared but does not exist.');
    expect(answer.feedback).toContain('result.json');
    expect(answer.criteria.map(({ status }) => status)).toEqual(['not met', 'not checked']);
  });

  test('does not believe an attempt that exited 0 without its result file', async () => {
    const answer = await judge(work({ run: commands('true'), files: ['result.json'] }));
    expect(answer.verdict).toBe('Failed');
  });

  test('takes a declared file that the attempt removed for done, and judges what is said of it', async () => {
    const criteria = ['old.txt is removed', 'old.txt exists', 'old.txt was ugly'];
    const brief = { ...work({ files: ['old.txt'], criteria }), changed: ['old.txt'] };
    const answer = await judge(brief);
    expect(answer).toMatchObject({ verdict: 'Qualified', issues: [] });
    expect(answer.criteria.map(({ status }) => status)).toEqual(['met', 'not met', 'not checked']);
    expect(await judge({ ...brief, changed: ['other.txt'] })).toMatchObject({
      verdict: 'Failed',
      issues: ['`old.txt` is declared but does not exist.'],
    });
  });

  test('says of a criterion that nothing checks it', async () => {
    const answer = await judge(work({ criteria: ['users like it'] }));
    expect(answer.criteria).toEqual([
      { criterion: 'users like it', status: 'not checked', evidence: 'the task has no verify command' },
    ]);
    expect(answer.verdict).toBe('Qualified');
  });

  test('lets verify commands see a STEER that came between them', async () => {
    const brief = work({ verify: commands('true', 'test "$RALPH_STEER" = "look closer"') });
    const answer = await judge(brief, go(steer('look closer')));
    expect(answer).toMatchObject({ verdict: 'Qualified', steers: [{ verdict: 'adjust' }] });
  });

  test('begins again on restart, and goes on after a pause with the results so far', async () => {
    const brief = work({ verify: commands('echo a >> seen', 'echo b >> seen') });
    const again = bench(scriptBackend(), brief, [go(steer('again', 'restart'))]);
    await again.turn('review');
    expect(again.facts.flatMap((fact) => (fact.type === 'command.started' ? [fact.index] : []))).toEqual([
      0, 0, 1,
    ]);
    const paused = await bench(scriptBackend(), brief, [pause]).turn('review');
    const at = bench(scriptBackend(), brief);
    await at.turn('review', { continuation: paused.kind === 'paused' ? paused.continuation : null });
    expect(at.facts.flatMap((fact) => (fact.type === 'command.started' ? [fact.index] : []))).toEqual([1]);
  });
});

describe('a review of the session', () => {
  const task = (id: string, status: string, some: Partial<TaskDefinition> = {}) =>
    ({ definition: taskOf({ id, verify: commands('true'), ...some }), status, attempts: 1 }) as const;
  const judgeSession = async (brief: Partial<Brief>) =>
    sessionReviewAnswerSchema.parse(
      answerOf(await bench(scriptBackend(), briefOf(brief)).turn('review-session')),
    );

  test('sees the goal reached when every task is done, and names what nothing checked', async () => {
    const answer = await judgeSession({
      tasks: [
        task('a', 'done'),
        task('b', 'done', { verify: [] }),
        task('old', 'cancelled', { replaced_by: ['a'] }),
      ],
    });
    expect(answer).toMatchObject({ goals_achieved: true, assessment: '2 of 2 tasks are done.' });
    expect(answer.gaps).toEqual(['b has no verify command: the only evidence is its exit codes']);
  });

  test('names what is missing', async () => {
    const answer = await judgeSession({
      tasks: [task('a', 'done'), { ...task('b', 'failed'), reason: 'exit 1' }],
    });
    expect(answer).toMatchObject({
      goals_achieved: false,
      gaps: ['b is failed: exit 1'],
      next_action: 'give feedback or retry b',
    });
  });
});
