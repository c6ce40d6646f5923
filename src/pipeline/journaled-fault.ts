import type { z } from 'zod';
import type { Fault } from '../base/fault.ts';
import type { fault } from './events/fields.ts';

/** A fault in an event. The journal calls its hint `mend`, and absent parts may be `undefined` after a replay. */
type JournaledFault = z.infer<typeof fault>;

/** The fault for an event. */
export const toJournaled = ({ hint, ...rest }: Fault): JournaledFault =>
  hint === undefined ? rest : { ...rest, mend: hint };

/** The fault from an event. */
export const fromJournaled = ({ code, what, where, mend }: JournaledFault): Fault => ({
  code,
  what,
  ...(where === undefined ? {} : { where }),
  ...(mend === undefined ? {} : { hint: mend }),
});
