import { expect, test } from 'vitest';
import { createFlowSession } from '../helpers/flow-session.ts';

test.each([
  ['a skill', 'refused'],
  ['a definition of workers', 'refusedWorker'],
] as const)('%s of the repository that is left out is said in the session, once', async (what, key) => {
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { fill: 'team' },
    [key]: { code: 'not-accepted', what },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
  expect(session.all('problem.found').map(({ fault }) => fault.what)).toEqual([what]);
});
