import type { TimeLeft } from '../pipeline/scheduling/time-left.ts';
import { formatAbout, formatBetween } from './local-time.ts';

/** "about 12 min" where nine of ten ends are less than 30 percent away from it, else between which times they lie: "4 to 9 min". */
export const timeWords = ({ ms, leastMs, mostMs }: Omit<TimeLeft, 'task'>): string =>
  ms <= 1.3 * leastMs && ms >= 0.7 * mostMs ? `about ${formatAbout(ms)}` : formatBetween(leastMs, mostMs);
