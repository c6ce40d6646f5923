import { lockLost } from '../journal-queue.ts';
import type { FlowPort } from './flow-port.ts';

/**
 * The port of a session that may lose its lock in the middle of a step, which takes many calls: nothing is written outside any more then. The program that
 * took over takes the same step, and two of them would say everything twice. `look` brings back what agents changed in the tracker's files, so that none of it is read.
 */
export const heldPort = (port: FlowPort, isStillOurs: () => boolean, look: () => void): FlowPort => {
  const { tracker, pullRequests } = port;
  const seen = async <T>(call: () => Promise<T>): Promise<T> => {
    look();
    return call().finally(look);
  };
  const held = async <T>(write: () => Promise<T>): Promise<T | Lost> => (isStillOurs() ? seen(write) : lost);
  return {
    ...port,
    tracker: {
      ...tracker,
      list: () => seen(() => tracker.list()),
      show: (id) => seen(() => tracker.show(id)),
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
