import type { TeamMessages } from '../pipeline/modes/flow/roster.ts';
import { count } from './local-time.ts';

/** `0 messages in 5 assignments, 2 refused` */
export const messagesWords = ({ sent, refused, assignments }: TeamMessages): string =>
  `${count(sent, 'message')} in ${count(assignments, 'assignment')}${refused === 0 ? '' : `, ${refused} refused`}`;
