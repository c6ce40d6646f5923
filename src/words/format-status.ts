import { safe } from '../base/safe.ts';
import { furtherReason, statusWords } from '../session/status.ts';

/** "paused, quit"; leaves out a reason that only repeats the status. */
export const formatStatus = (status: string, reason: string): string => {
  const further = furtherReason(status, reason);
  return further === '' ? statusWords(status) : `${statusWords(status)}, ${safe(further)}`;
};
