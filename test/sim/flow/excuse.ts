import type { SessionState } from '../../../src/pipeline/state.ts';
import type { FlowWorld } from './flow-world.ts';

/**
 * Why a flow may be blocked: `later` when the tracker was down or the person's branch in the way, `last` when a person took away what it works on.
 * `null`: nothing outside of its session kept it.
 */
export const flowExcuse = (
  flow: FlowWorld | null,
  { stopReason }: SessionState,
  startedAt: number,
): 'last' | 'later' | null => {
  const reason = stopReason ?? '';
  if (flow === null) return null;
  if (/answered 500|not committed/.test(reason)) return flow.wasDown(startedAt) ? 'later' : null;
  if (/issue 1 no longer exists/.test(reason)) return flow.ledger.stateOf('1') === null ? 'last' : null;
  if (/the pull request is closed/.test(reason)) return 'last';
  return null;
};
