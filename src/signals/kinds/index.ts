import type { SignalKind } from '../mailbox.ts';
import type { Signal, SignalType } from '../signal.ts';
import { abort } from './abort.ts';
import { answer } from './answer.ts';
import { approve } from './approve.ts';
import { cancel } from './cancel.ts';
import { info } from './info.ts';
import { pause } from './pause.ts';
import { resume } from './resume.ts';
import { retry } from './retry.ts';
import { set } from './set.ts';
import { skip } from './skip.ts';
import { steer } from './steer.ts';

/** Every signal type, in the order users see it in help and compose. */
export const kinds: readonly SignalKind[] = [
  info,
  steer,
  pause,
  resume,
  abort,
  approve,
  skip,
  retry,
  cancel,
  answer,
  set,
];

/** The kind of a type. */
export const kindOf = (type: SignalType): SignalKind => {
  const found = kinds.find((kind) => kind.type === type);
  if (!found) throw new Error(`no signal kind ${type}`);
  return found;
};

/** What is wrong with a signal beyond the common schema, as one sentence, or null; the same for files, keys and commands. */
export const checkSignal = (signal: Signal): string | null => kindOf(signal.type).check(signal);
