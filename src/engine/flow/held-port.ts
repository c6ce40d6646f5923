import { lockLost } from '../journal-queue.ts';
import type { FlowPort } from './flow-port.ts';

/**
 * The port of a session that may lose its lock in the middle of a step, which takes many calls: nothing is written outside any more then. The program that
 * took over takes the same step, and two of them would say everything twice.
 */
export const heldPort = (port: FlowPort, isStillOurs: () => boolean): FlowPort => {
  const { tracker, pullRequests } = port;
  const held = async <T>(write: () => Promise<T>): Promise<T | Lost> => (isStillOurs() ? write() : lost);
  return {
    ...port,
    tracker: {
      ...tracker,
      update: (id, change, revision) => held(() => tracker.update(id, change, revision)),
      comment: (id, body) => held(() => tracker.comment(id, body)),
      create: (draft) => held(() => tracker.create(draft)),
    },
    pullRequests: pullRequests && {
      ...pullRequests,
      open: (wanted) => held(() => pullRequests.open(wanted)),
      merge: (url, head, draft) => held(() => pullRequests.merge(url, head, draft)),
    },
  };
};

const lost = { ok: false, faults: [lockLost] } as const;
type Lost = typeof lost;
