import type { SessionState } from '../../src/pipeline/state.ts';
import { count } from '../../src/words/local-time.ts';

/** "1 lesson kept", "1 of 3 lessons kept". */
export const keptWords = (session: SessionState): string => {
  const kept = session.knowledge.promoted.length;
  const left = lessonsLeft(session);
  return `${left > 0 ? `${kept} of ` : ''}${count(kept + left, 'lesson')} kept`;
};

/** Number of lessons at the gate that were not chosen. They stay where they were written. */
export const lessonsLeft = ({ knowledge: { staged, carried, promoted } }: SessionState): number =>
  [...new Set([...staged, ...carried])].filter((file) => !promoted.includes(file)).length;
