import { expect, test } from 'vitest';
import { decodeState, encodeState } from '../../src/observability/state-text.ts';
import { createFlowSession } from '../helpers/flow-session.ts';

test('the saved state of a flow gives its claims, workers and results back', async () => {
  const session = createFlowSession({ issues: { 1: 'state: ready-for-plan' }, start: { fill: 'team' } });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.settle(engine);
  const state = engine.state();
  expect(state.flow?.claims.size).toBeGreaterThan(1);
  expect(decodeState(encodeState(state))).toEqual(state);
  // Saved by a program that wrote maps as `{}`: the whole journal is folded instead.
  const flat = JSON.stringify({ ...JSON.parse(encodeState(state)), flow: { works: {}, claims: {} } });
  expect(decodeState(flat)).toBeNull();
});
