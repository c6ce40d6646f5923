import type { Fault } from '../../base/fault.ts';
import {
  type Guidance,
  guidanceFileName,
  saysSomething,
  saysTheSame,
} from '../../session/guidance/guidance.ts';
import type { Core } from '../core.ts';

/**
 * Takes over guidance that a person changed while the session runs (src/discovery/README.md, "Guidance at work"). A file that is gone, broken or not accepted
 * changes nothing, because an agent could have done that: the change is reported.
 */
export const followGuidance = (core: Core): void => {
  const { options, loop } = core;
  if (!loop.isOpen() || options.guidanceNow === undefined) return;
  const now = options.guidanceNow();
  const held = loop.state().guidance;
  if (now === null) {
    if (saysSomething(held)) core.problem(gone);
  } else if (isFault(now)) core.problem(now);
  else if (!saysTheSame(now, held)) loop.commit({ type: 'guidance.changed', guidance: now });
};

const isFault = (now: Guidance | Fault): now is Fault => 'code' in now;

const gone: Fault = {
  code: 'guidance-gone',
  what: `${guidanceFileName} no longer exists; its previous content still applies`,
  hint: 'clear it with `ralph-tui guidance clear`',
};
