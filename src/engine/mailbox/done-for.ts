import { actionTaken } from '../../signals/action-taken.ts';
import type { PendingSignal } from '../../signals/signal.ts';
import type { Core } from '../core.ts';

export const keptAsGuidance = `${actionTaken.guidance} for later invocations`;

/** What the dead engine would have archived for this recipient; `null`: nothing yet. */
export const doneFor = (
  { ledger }: Core,
  { id, signal }: Pick<PendingSignal, 'id' | 'signal'>,
  recipient: string,
): string | null => {
  if (recipient.startsWith('Orchestrator~')) return ledger.carried(id) ? keptAsGuidance : null;
  const invocation = recipient.slice(recipient.indexOf('~') + 1);
  const isCarried = ledger.carried(id, invocation);
  if (signal.type !== 'STEER') return isCarried ? actionTaken.added : null;
  return isCarried || ledger.escalated(invocation) ? ledger.decision(id, invocation) : null;
};
