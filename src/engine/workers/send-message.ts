import { ownTask } from '../../issues/team/claim.ts';
import type { WorkerMessage } from '../../issues/team/door.ts';
import { refuseMessage } from '../../issues/team/message-policy.ts';
import { claimableList, members } from '../../pipeline/modes/flow/team.ts';
import type { Core } from '../core.ts';
import { memberOf, notMember, openFlow, standingOf } from './team-state.ts';

/** Sends a message of a worker, and counts it. A sentence: why it was refused, which counts too. */
export const sendMessage = (core: Core, worker: string, { kind, to, text }: WorkerMessage): string | null => {
  const { loop, options } = core;
  if (standingOf(core, worker).kind !== 'member') return notMember;
  const flow = openFlow(core);
  if (flow === null) return 'the session is over';
  const list = claimableList(loop.state());
  const other = to === null ? null : memberOf(core, to);
  const task = other === null ? null : ownTask(list, other);
  const since = task === null ? null : (flow.claims.get(task.id)?.since ?? null);
  const refused = refuseMessage({
    ...{ kind, to, worker, list },
    members: members(flow),
    idleMs: since === null ? 0 : options.clock.now() - Date.parse(since),
    woken: flow.messages.woken,
  });
  const told = refused === null ? {} : { refused };
  loop.commit({ type: 'worker.messaged', worker, kind, to, text, ...told });
  // It is data for the other one: no record of a person goes with it.
  if (refused === null && to !== null)
    core.mailbox.publish({ type: 'INFO', target: 'Executor', from: worker, message: text, worker: to });
  return refused;
};
