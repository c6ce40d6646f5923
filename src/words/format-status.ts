import { safe } from '../base/safe.ts';
import { failedStatus, statusWords } from '../session/status.ts';

/** "paused, quit"; leaves out a reason that only repeats the status. */
export const formatStatus = (status: string, reason: string): string =>
  reason === '' || reason === status || (status === failedStatus && reason === 'failed tasks')
    ? statusWords(status)
    : `${statusWords(status)}, ${safe(reason)}`;
