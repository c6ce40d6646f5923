import type { Fault } from '../../base/fault.ts';
import { manyPending, mostPending } from '../../signals/mailbox/peek.ts';

/** The problem for a flooded mailbox (rule 12). */
export const crowded: Fault = {
  code: 'mailbox-crowded',
  what: `${manyPending} or more signals are pending; once there are ${mostPending}, new ones are refused`,
  where: 'signals/inputs',
  hint: 'find out what writes them, or withdraw them',
};

/** The problem, at the start, for claims of another machine. A command there holds its claim only briefly, and no later poll would take it. */
export const claimedElsewhere = (count: number): Fault => ({
  code: 'claims-remote',
  what: `${count === 1 ? 'a signal is' : `${count} signals are`} claimed by a program from another boot, container or machine, and this machine cannot tell whether that program is still running`,
  where: 'signals/claimed',
  hint: 'if it is not, stop the session and resume it with --take-over',
});
