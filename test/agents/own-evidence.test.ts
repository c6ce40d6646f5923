import { expect, test } from 'vitest';
import type { Procedure } from '../../src/agents/port.ts';
import { executor } from '../../src/agents/roles/executor.ts';
import { onOwnEvidence } from '../../src/agents/roles/own-evidence.ts';
import { reviewer } from '../../src/agents/roles/reviewer.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { at, briefOf, rolePort, type Step, taskOf, turn } from '../helpers/role-port.ts';

const met = (criterion: string, evidence: string) => ({ criterion, status: 'met', evidence }) as const;

test('a criterion that the answer does not name, or calls met without evidence, was not checked', () => {
  expect(onOwnEvidence(['it adds', 'it rounds'], [met('It adds.', '')])).toEqual([
    { criterion: 'it adds', status: 'not checked', evidence: 'marked met without evidence' },
    { criterion: 'it rounds', status: 'not checked', evidence: 'the answer does not name it' },
  ]);
});

test('criteria are those of the task, in its order, also where the agent worded them anew', () => {
  const given = [met('rounding works', 'test/round.js:3'), met('addition works', 'test/add.js:1')];
  expect(onOwnEvidence(['it rounds', 'it adds'], given).map(({ criterion }) => criterion)).toEqual([
    'it rounds',
    'it adds',
  ]);
  expect(onOwnEvidence([], given)).toEqual(given);
});

const said = (status: 'not met' | 'not checked') => [
  met('it adds', 'test/add.js:1'),
  { criterion: 'it rounds', status, evidence: '2.5 gives 2' },
];
const task = taskOf({ criteria: ['it adds', 'it rounds'] });
const settings = { ...defaultSettings, commit: true };

const outcomeOf = async (role: Procedure, brief: Parameters<typeof briefOf>[0], steps: readonly Step[]) => {
  const port = rolePort(briefOf({ task, attempt: 1, settings, ...brief }), steps);
  const end = await role(port);
  port.expectDone();
  return end.kind === 'outcome' ? end.outcome : end;
};

test('work that its own answer calls not met has failed, and says which criterion', async () => {
  const work = (status: Parameters<typeof said>[0]) =>
    outcomeOf(executor, { role: 'Executor', mode: 'IMPLEMENT' }, [
      at('Executor.0'),
      at('Executor.2'),
      turn('implement', 'Executor.3.5', { status: 'completed', criteria: said(status) }),
    ]);
  expect(await work('not met')).toMatchObject({
    status: 'failed',
    blockers: ['"it rounds" is not met: 2.5 gives 2'],
  });
  expect(await work('not checked')).toMatchObject({ status: 'completed', blockers: [] });
});

test.each([
  ['in other words, among more criteria than the task has', [{ criterion: 'rounding', status: 'not met' }]],
  ['after it called the same one met', [{ criterion: 'it adds', status: 'not met' }]],
])('nor is work done when it calls a criterion not met %s', async (_name, more) => {
  const criteria = [met('it adds', 'test/add.js:1'), met('it rounds', 'test/round.js:1'), ...more];
  const brief = { role: 'Executor', mode: 'IMPLEMENT' } as const;
  const steps = [
    at('Executor.0'),
    at('Executor.2'),
    turn('implement', 'Executor.3.5', { status: 'completed', criteria }),
  ];
  expect(await outcomeOf(executor, brief, steps)).toMatchObject({ status: 'failed' });
  const reviewed = await outcomeOf(reviewer, { role: 'Reviewer', mode: 'TASK_REVIEW' }, [
    at('Reviewer.0'),
    at('Reviewer.1.5'),
    turn('review', 'Reviewer.1.5', { verdict: 'Qualified', criteria }),
    at('Reviewer.verdict'),
  ]);
  expect(reviewed).toMatchObject({ verdict: 'Failed' });
});

test('a review that calls a criterion not met does not qualify the work, and nothing is committed', async () => {
  const look = (status: Parameters<typeof said>[0], ...more: readonly Step[]) =>
    outcomeOf(reviewer, { role: 'Reviewer', mode: 'TASK_REVIEW' }, [
      at('Reviewer.0'),
      at('Reviewer.1.5'),
      turn('review', 'Reviewer.1.5', { verdict: 'Qualified', criteria: said(status) }),
      at('Reviewer.verdict'),
      ...more,
    ]);
  expect(await look('not met')).toMatchObject({
    verdict: 'Failed',
    feedback: '"it rounds" is not met: 2.5 gives 2',
    commit_status: 'skipped',
  });
  const commit = turn('commit', null, {
    status: 'success',
    detail: '1 file',
    files: ['a'],
    unattributed: [],
  });
  expect(await look('not checked', commit)).toMatchObject({ verdict: 'Qualified', commit_status: 'success' });
});
