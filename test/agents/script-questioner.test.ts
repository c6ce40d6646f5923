import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Brief } from '../../src/agents/port.ts';
import { namesTask } from '../../src/session/feedback-work.ts';
import { parseQuestions } from '../../src/session/questions.ts';
import { liveRole } from '../helpers/live-role.ts';
import { briefOf, go, pause, steer } from '../helpers/role-port.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const plan = `goal: Ship it
tasks:
  - {id: one, title: First, files: [src/a.ts, shared.json], criteria: [works], run: ["node tools/gen.mjs src/a.ts"], verify: ["test -s src/a.ts"]}
  - {id: two, title: Second, files: [shared.json], run: ["true"]}
  - {id: three, title: Third, blockedBy: [two], files: [shared.json, README.md], criteria: [reads well], run: ["true"], verify: ["true"]}
`;

const session = (some: Partial<Brief> = {}): Brief => {
  const workspace = tempDir();
  const sessionDirectory = join(workspace, '.ralph-sessions/260215-101500');
  put(join(sessionDirectory, 'plan.source.yaml'), plan);
  put(join(workspace, 'README.md'), '# Greeting\nSee shared.json for the words.\n');
  put(join(workspace, 'package.json'), '{"scripts": {"test": "vitest run"}}');
  return briefOf({
    role: 'Questioner',
    mode: 'brainstorm',
    cycle: 1,
    invocation: 'Questioner-1',
    workspace,
    sessionDirectory,
    ...some,
  });
};
const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const questions = (brief: Brief, category: string) =>
  parseQuestions(
    readFileSync(join(brief.sessionDirectory, `iterations/1/questions/${category}.md`), 'utf8'),
    category,
  ).value.questions;

test('brainstorm asks about the gaps of the plan', async () => {
  const brief = session();
  const { end } = await liveRole(brief);
  expect(end.outcome).toMatchObject({
    questions_generated: 6,
    questions_answered: 0,
    category: 'risks, requirements, assumptions, technical, constraints',
  });
  expect(questions(brief, 'risks').map(({ question }) => question)).toEqual([
    'What shows that two work? They have no verify command.',
  ]);
  expect(questions(brief, 'requirements')[0]?.question).toContain('"done" mean for two?');
  expect(questions(brief, 'assumptions')[0]?.question).toContain(
    'None of them exists: `src/a.ts`, `shared.json`.',
  );
  expect(questions(brief, 'technical')[0]?.question).toContain('Commands of one name `tools/gen.mjs`');
  expect(questions(brief, 'constraints').map(({ id, question }) => [id, question.slice(0, 45)])).toEqual([
    ['Q-CON-001', 'one and two both change `shared.json` and nei'],
    ['Q-CON-002', 'one and three both change `shared.json` and n'],
  ]);
});

test('the same gap is not asked about twice', async () => {
  const brief = session();
  await liveRole(brief);
  const { end } = await liveRole({ ...brief, cycle: 2 });
  expect(end.outcome).toMatchObject({ questions_generated: 0 });
  expect(questions(brief, 'risks')).toHaveLength(1);
});

test('research goes on without a file that is none: a FIFO, a directory, a link', async () => {
  for (const make of [
    (path: string) => void execFileSync('mkfifo', [path]),
    (path: string) => mkdirSync(path),
    (path: string) => symlinkSync('/dev/zero', path),
  ]) {
    const brief = session();
    const file = join(brief.workspace, 'package.json');
    rmSync(file);
    make(file);
    await liveRole(brief);
    const { end } = await liveRole({ ...brief, mode: 'research' });
    expect(end.outcome).toMatchObject({ status: 'completed', questions_answered: 3 });
  }
});

test('research answers what the repository can answer, with the place, and leaves the rest open', async () => {
  const brief = session();
  await liveRole(brief);
  const { end } = await liveRole({ ...brief, mode: 'research' });
  expect(end.outcome).toMatchObject({ questions_generated: 0, questions_answered: 5 });
  expect(questions(brief, 'risks')[0]).toMatchObject({
    answer: 'package.json has a test script: `vitest run`.',
    source: 'package.json, scripts.test',
    confidence: 'high',
  });
  expect(questions(brief, 'assumptions')[0]).toMatchObject({
    answer: 'shared.json does not exist but is mentioned in README.md:2.',
    source: 'README.md:2',
  });
  expect(questions(brief, 'technical')[0]).toMatchObject({ answer: '' });
  const again = await liveRole({ ...brief, mode: 'research' });
  expect(again.end.outcome).toMatchObject({ questions_answered: 0 });
});

test('research goes on after a pause with the next question, and a restart asks all of them again', async () => {
  const brief = session({ mode: 'research' });
  await liveRole({ ...brief, mode: 'brainstorm' });
  const paused = await liveRole(brief, { 'Questioner.research.2': pause });
  const resumed = await liveRole({
    ...brief,
    continuation: JSON.parse(JSON.stringify(paused.end.continuation)),
  });
  expect(resumed.end.outcome).toMatchObject({ questions_answered: 5 });
  const message = steer('try again', 'restart');
  const { end, facts } = await liveRole(
    { ...session({ mode: 'research' }), ...brief },
    { 'Questioner.research.2': go(message) },
  );
  expect(end.outcome.status).toBe('completed');
  expect(facts).toMatchObject([{ type: 'steer.decided', verdict: 'restart' }]);
});

test('a task is named by its id as a word and not as a part of one', () => {
  expect(namesTask('task-1 is slow', 'task-1')).toBe(true);
  expect(namesTask('see task-1.', 'task-1')).toBe(true);
  expect(namesTask('task-10 is slow', 'task-1')).toBe(false);
  expect(namesTask('subtask-1 and task-1.2', 'task-1')).toBe(false);
  expect(namesTask('a+b', 'a')).toBe(true);
});
