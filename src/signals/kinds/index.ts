import type { SignalKind } from '../mailbox.ts';
import type { Signal, SignalType } from '../signal.ts';
import { abort } from './abort.ts';
import { answer } from './answer.ts';
import { approve } from './approve.ts';
import { cancel } from './cancel.ts';
import { drain } from './drain.ts';
import { info } from './info.ts';
import { pause } from './pause.ts';
import { resume } from './resume.ts';
import { retry } from './retry.ts';
import { set } from './set.ts';
import { skip } from './skip.ts';
import { steer } from './steer.ts';

/** Every signal type, in the display order of help and compose. */
export const kinds: readonly SignalKind[] = [
  info,
  steer,
  pause,
  resume,
  drain,
  abort,
  approve,
  skip,
  retry,
  cancel,
  answer,
  set,
];

/** The kind of a signal type. */
export const kindOf = (type: SignalType): SignalKind => {
  const found = kinds.find((kind) => kind.type === type);
  if (!found) throw new Error(`no signal kind ${type}`);
  return found;
};

/** The fault of a signal beyond the common schema, as one sentence, or null. The same for files, keys and commands. */
export const checkSignal = (signal: Signal): string | null => kindOf(signal.type).check(signal);
