import { formatSpent } from '../../../components/frame/select-header.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { usageWords } from '../../words/usage-words.ts';

/** The last lines of a session's report: how long it took, and what its agents used. */
export const totals = (state: SessionState): string => {
  const used = usageWords(state.spending.values());
  return [`Time: ${formatSpent(state)}`, ...(used === '' ? [] : [`Used: ${used}`])].join('\n');
};
