import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Brief, Mode, RoleEnd } from '../../src/agents/port.ts';
import { procedures } from '../../src/agents/roles/index.ts';
import { roleOf } from '../../src/pipeline/slot.ts';
import { commandProgram } from '../helpers/command-program.ts';
import { briefOf, go, taskOf } from '../helpers/role-port.ts';

/** An agent that answers by the heading of its prompt and counts its calls. */
const agentOf = (replies: Readonly<Record<string, unknown>>) => {
  const cases = Object.entries(replies).map(
    ([heading, reply]) =>
      `*"# ${heading}"*) printf '%s' '${typeof reply === 'string' ? reply : JSON.stringify(reply)}';;`,
  );
  const { backend, brief, workspace } = commandProgram(
    `prompt=$(cat)\necho call >> calls\ncase "$prompt" in\n${cases.join('\n')}\nesac`,
    {},
  );
  const { sessionDirectory } = brief;
  const perform = async (mode: Mode, more: Partial<Brief> = {}): Promise<RoleEnd> => {
    const role = roleOf[mode];
    const model = { instructions: `# ${mode}`, fence: 'f00d', reports: [], tools: false };
    const asked = briefOf({ role, mode, workspace, sessionDirectory, model, ...more });
    const worker = backend.start(asked, { emit: () => {}, output: () => {} });
    const end = await procedures[role]({
      brief: asked,
      emit: () => {},
      checkpoint: async () => go(),
      turn: (ask) => worker.turn(ask, async () => go()),
    });
    if (end.kind === 'outcome')
      for (const { root, path, text } of end.artifacts) {
        const file = join(root === 'session' ? sessionDirectory : workspace, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    return end;
  };
  const calls = (): number => {
    try {
      return readFileSync(join(workspace, 'calls'), 'utf8').split('\n').length - 1;
    } catch {
      // Nobody was called.
      return 0;
    }
  };
  return { perform, calls, read: (file: string) => readFileSync(join(sessionDirectory, file), 'utf8') };
};

test('a plan costs three calls of an agent: questions, their answers, the breakdown', async () => {
  const question = { category: 'technical', question: 'Which port?', priority: 'high', impact: 'tests' };
  const agent = agentOf({
    brainstorm: { questions: [question, { ...question, question: 'Which host?' }] },
    research: {
      answers: [
        { id: 'Q-TECH-001', answer: '8080', source: 'config.ts:3', confidence: 'high' },
        { id: 'Q-TECH-002', answer: '' },
      ],
    },
    TASK_BREAKDOWN: {
      approach: ['small'],
      tasks: [{ id: 'one', title: 'One', files: ['a.ts'], verify: ['true'] }],
    },
  });
  await agent.perform('INITIALIZE');
  expect(agent.calls()).toBe(0);
  expect(await agent.perform('brainstorm')).toMatchObject({ outcome: { questions_generated: 2 } });
  expect(await agent.perform('research')).toMatchObject({ outcome: { questions_answered: 1 } });
  expect(agent.read('iterations/1/questions/technical.md')).toMatch(/\*\*Answer\*\*: 8080/);
  expect(await agent.perform('TASK_BREAKDOWN')).toMatchObject({
    outcome: { status: 'completed', tasks_defined: 1 },
    tasks: [{ id: 'one', verify: [{ cmd: 'true' }] }],
  });
  expect(agent.calls()).toBe(3);
});

test('without open questions research costs nothing', async () => {
  const agent = agentOf({});
  expect(await agent.perform('research')).toMatchObject({ outcome: { status: 'completed' } });
  expect(agent.calls()).toBe(0);
});

test('an answer that does not fit is asked for once more, with the field', async () => {
  const agent = agentOf({
    'IMPLEMENT\n\n## Session': '{"status": "done"}',
  });
  const end = await agent.perform('IMPLEMENT', { task: taskOf(), attempt: 1 });
  expect(end).toMatchObject({
    kind: 'no-result',
    raw: '{"status": "done"}\n{"status": "done"}',
    wrong: ['status: must be one of completed, failed, blocked'],
  });
  expect(agent.calls()).toBe(2);
});

test('a passed verify stands in for an outcome that never came; a failed or an empty one does not', async () => {
  const verify = (cmd: string) => ({
    task: taskOf({ verify: [{ cmd }], criteria: ['it greets'] }),
    attempt: 1,
    mayVerify: true as const,
  });
  const agent = agentOf({ IMPLEMENT: 'All done!' });
  expect(await agent.perform('IMPLEMENT', verify('true'))).toMatchObject({
    outcome: { status: 'completed', success_criteria_met: false },
  });
  expect(await agent.perform('IMPLEMENT', verify('false'))).toMatchObject({
    kind: 'no-result',
    raw: 'All done!\nAll done!',
  });
  expect(await agent.perform('IMPLEMENT', { task: taskOf(), attempt: 1 })).toMatchObject({
    kind: 'no-result',
  });
  // Commands that a model wrote, and nobody let run.
  const { mayVerify: _, ...unasked } = verify('true');
  expect(await agent.perform('IMPLEMENT', unasked)).toMatchObject({ kind: 'no-result' });
});

test('commits and promotion are done by code', async () => {
  const agent = agentOf({ TASK_REVIEW: { verdict: 'Qualified' } });
  const settings = { ...briefOf().settings, commit: true };
  const end = await agent.perform('TASK_REVIEW', {
    task: taskOf(),
    attempt: 1,
    changed: ['a.txt'],
    settings,
  });
  expect(end).toMatchObject({ outcome: { verdict: 'Qualified' } });
  expect(await agent.perform('PROMOTE', { promote: [] })).toMatchObject({ outcome: { promoted: [] } });
  expect(agent.calls()).toBe(1);
});
