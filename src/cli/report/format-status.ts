import { safe } from '../../base/safe.ts';

/** "paused, quit"; leaves out a reason that only repeats the status. */
export const formatStatus = (status: string, reason: string): string =>
  reason === '' || reason === status || (status === failed && reason === 'failed tasks')
    ? statusWords(status)
    : `${statusWords(status)}, ${safe(reason)}`;

/** The words for a session's status in summaries, in `status` and in the list of sessions. */
export const statusWords = (status: string): string =>
  status === failed ? 'ended with failures' : status.replaceAll('_', ' ');

/** The protocol's name: the session waits for feedback about its failures. */
const failed = 'awaiting_feedback';
