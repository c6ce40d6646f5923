import type { TimeLeft } from '../pipeline/scheduling/time-left.ts';
import { formatAbout } from './local-time.ts';

/** "about 12 min left". */
export const leftWords = ({ ms }: Pick<TimeLeft, 'ms'>): string => `about ${formatAbout(ms)} left`;
