import { expect, test } from 'vitest';
import { trialFindings } from '../../src/cli/setup/trial-findings.ts';

const profile = { label: 'Mine', command: ['mine'], login: null, unenforced: null };
const tried = { name: 'mine', profile, withheld: [], configured: true, worktrees: '/state/worktrees' };
const trial = {
  startMs: 400,
  identity: { label: 'Mine', session: 's', began: 'new', reach: 'tool-result' },
  replyMs: 900,
  stop: 'end_turn',
  said: '{"sum": 42}',
  listedTools: true,
  calledTool: false,
  arrived: null,
  tokens: null,
  cost: null,
  fault: null,
  lateMs: null,
  left: false,
  unverified: [],
} as const;

test('an agent that lists our tools and calls none is connected, only disobedient', () => {
  const toolsOf = (listedTools: boolean) =>
    trialFindings(tried, { ...trial, listedTools }).find(({ check }) => check === 'mine: tools');
  expect(toolsOf(true)).toMatchObject({ ok: false, found: 'not called' });
  expect(toolsOf(false)).toMatchObject({
    ok: false,
    found: 'not connected',
    hint: expect.stringContaining('trust the folder that holds all worktrees, /state/worktrees'),
  });
});
