import { saysTheSame } from '../../session/guidance/guidance.ts';
import type { Core } from '../core.ts';

/**
 * Takes over guidance that a person changed while the session runs (discovery.md, "Guidance at work"). A file that is gone or that nobody accepted
 * changes nothing: an agent could have done that.
 */
export const followGuidance = ({ options, loop }: Core): void => {
  if (!loop.isOpen()) return;
  const now = options.guidanceNow?.() ?? null;
  if (now === null || saysTheSame(now, loop.state().guidance)) return;
  loop.commit({ type: 'guidance.changed', guidance: now });
};
