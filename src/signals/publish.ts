import { join } from 'node:path';
import { formatTimestamp } from '../base/clock.ts';
import type { Fault } from '../base/fault.ts';
import type { Box } from './box.ts';
import { directoryProblem } from './directories.ts';
import { formatSignal, parseSignal } from './envelope.ts';
import { namesIn, place } from './files.ts';
import { identityOf } from './identity.ts';
import type { Published } from './mailbox.ts';
import { orFault } from './mailbox-fault.ts';
import { formatSignalName } from './names.ts';
import { isUrgent } from './order.ts';
import { mostPending } from './peek.ts';
import type { Signal } from './signal.ts';

/** Rule 1. What no reader would accept is refused here with the same sentence. Adds `created_at` when it is absent. */
export const publish = (box: Box, signal: Signal): Published | Fault => {
  const text = formatSignal({ created_at: formatTimestamp(box.clock), ...signal });
  const bytes = new TextEncoder().encode(text);
  const { problems } = parseSignal('the signal', bytes);
  if (problems[0]) return problems[0];
  return orFault('the signal was not written', () => {
    const problem = directoryProblem(box, box.paths.inputs) ?? fullProblem(box, signal);
    return problem ?? placeUnderFreshName(box, bytes);
  });
};

/**
 * Listing thousands of names for each signal makes a flood quadratic: a part of the room that was found is used up before it is counted again. Whoever
 * wants to stop a flood has to be heard above it: what is urgent finds some room more.
 */
const fullProblem = (box: Box, signal: Signal): Fault | null => {
  if (box.written.room > 0) {
    box.written.room -= 1;
    return null;
  }
  const left = mostPending - namesIn(box, box.paths.inputs).length;
  box.written.room = Math.max(0, Math.floor(left / publishers));
  if (left > 0 || (isUrgent(signal) && left > -urgentRoom)) return null;
  return {
    code: 'mailbox-full',
    what: `${mostPending} signals wait already; no more are taken`,
    where: box.paths.inputs,
    mend: 'let the session read them, or remove some',
  };
};

/** Signals that may wait beyond the bound when they are urgent. */
const urgentRoom = 100;

/** As many processes may publish at once before the bound is overrun. */
const publishers = 64;

const placeUnderFreshName = (box: Box, bytes: Uint8Array): Published => {
  for (;;) {
    const at = Math.max(Math.floor(box.clock.now()), box.written.last + 1);
    box.written.last = at;
    const file = formatSignalName(at, box.random);
    if (place(box, join(box.paths.inputs, file), bytes)) return { id: identityOf(box, file, bytes), file };
  }
};
