import { liveSettingProblem } from '../session/settings/live-settings.ts';
import type { RoutingContext } from './mailbox.ts';
import type { Signal, SignalType } from './signal.ts';

/** What routing and every reader of signals know of one type. */
interface SignalKind {
  /** `universal`: a message, for which each target polls; `session`: for the session's first poller to see it; `gate`: only while knowledge waits. */
  readonly category: 'universal' | 'session' | 'gate';
  /** Whether it decides something now that is a person's to decide: then it counts only with the record that a person sent it (rule 13). */
  readonly decides: (signal: Signal, context: RoutingContext) => boolean;
  /** The fields that it reads, beside target, message and iteration. An option of the command for any other would be ignored in silence. */
  readonly reads: readonly SignalField[];
  /** The fault of a signal of this type beyond the common schema, or null. */
  readonly check: (signal: Signal) => string | null;
}

/** A field of a signal that only some types read. */
export type SignalField = Exclude<
  keyof Signal,
  'type' | 'target' | 'message' | 'iteration' | 'created_at' | 'from' | 'unproven'
>;

const never = (): boolean => false;
const always = (): boolean => true;
const noFault = (): null => null;
const withMessage =
  (type: SignalType): SignalKind['check'] =>
  ({ message }) =>
    message?.trim() ? null : `${type} needs a message`;
const ofSession =
  (type: SignalType, verb: string): SignalKind['check'] =>
  ({ task }) =>
    task === undefined ? null : `${type} ${verb} the session; CANCEL stops one task`;

/** One row per type. Those that no seed names are ours (src/signals/README.md, Types). */
const rows = {
  /** Seed 001, section 3.2: never restarts, pauses or escalates. */
  INFO: {
    category: 'universal',
    decides: never,
    reads: ['task', 'worker', 'resume'],
    check: withMessage('INFO'),
  },
  /** Seed 001, section 3.1: the decision tree chooses restart, adjust or escalate. */
  STEER: {
    category: 'universal',
    decides: never,
    reads: ['task', 'worker', 'apply', 'resume', 'now'],
    check: withMessage('STEER'),
  },
  /** Seed 001, section 3.3. The hold always covers the whole session, whatever the target. */
  PAUSE: {
    category: 'session',
    decides: never,
    reads: [],
    check: noFault,
  },
  /** Ours. */
  RESUME: {
    category: 'session',
    decides: (_signal, { held, heldByPerson, waitsForTime }) => heldByPerson || (!held && waitsForTime),
    reads: [],
    check: noFault,
  },
  /** Ours: ends a session gracefully (src/discovery/README.md, The loop). RESUME does not cancel it. */
  DRAIN: {
    category: 'session',
    decides: never,
    reads: ['task'],
    check: ofSession('DRAIN', 'stops'),
  },
  /** Seed 001, section 3.4: the session ends with the clean-up checklist. Reverts no file. */
  ABORT: {
    category: 'session',
    decides: never,
    reads: ['task'],
    check: ofSession('ABORT', 'ends'),
  },
  /** Seed 001, section 3.5: handled only while lessons wait for a decision. */
  APPROVE: {
    category: 'gate',
    decides: (_signal, { gateOpen }) => gateOpen,
    reads: ['promote'],
    check: ({ promote }) =>
      promote?.length === 0 ? 'APPROVE with an empty `promote` list keeps nothing; use SKIP' : null,
  },
  /** Seed 001, section 3.6: handled only while lessons wait for a decision. Staged files stay. */
  SKIP: {
    category: 'gate',
    decides: (_signal, { gateOpen }) => gateOpen,
    reads: [],
    check: noFault,
  },
  /** Ours. */
  RETRY: {
    category: 'session',
    decides: always,
    reads: ['task'],
    check: ({ task }) => (task === undefined ? 'RETRY needs a task' : null),
  },
  /** Ours. */
  CANCEL: {
    category: 'session',
    decides: always,
    reads: ['task', 'worker', 'request'],
    check: ({ task, worker, request }) => {
      const named = [task, worker].some((each) => each !== undefined);
      if (request !== undefined)
        return named ? 'CANCEL takes back the order of `request`, or it cancels a task: not both' : null;
      return named ? null : 'CANCEL needs a task; ABORT ends the session';
    },
  },
  /** Ours: a person's, because it changes files. */
  UNDO: {
    category: 'session',
    decides: always,
    reads: ['task', 'attempt'],
    check: ({ task }) => (task === undefined ? 'UNDO needs a task' : null),
  },
  /** Ours. */
  REDO: {
    category: 'session',
    decides: always,
    reads: ['task', 'attempt'],
    check: ({ task }) => (task === undefined ? 'REDO needs a task' : null),
  },
  /** Ours: the first answer wins. Never grants a permission: only a key on a screen does. */
  ANSWER: {
    category: 'session',
    decides: ({ request = '' }, { isForPerson }) => isForPerson(request),
    reads: ['request', 'option'],
    check: ({ request, option, message }) => {
      if (request === undefined) return 'ANSWER needs the `request` it answers';
      return option === undefined && !message?.trim() ? 'ANSWER needs an `option` or a message' : null;
    },
  },
  /** Ours: changes live settings while the session runs. */
  SET: {
    category: 'session',
    decides: always,
    reads: ['set'],
    check: ({ set = {} }) => {
      const entries = Object.entries(set);
      if (entries.length === 0) return 'SET needs `set` with at least one setting';
      for (const [key, value] of entries) {
        const problem = liveSettingProblem(key, value);
        if (problem !== null) return problem;
      }
      return null;
    },
  },
} satisfies Readonly<Record<SignalType, SignalKind>>;

/** The row of each type, without its own shape: a missing row is an error above, and nowhere else. */
export const kinds: Readonly<Record<SignalType, SignalKind>> = rows;

/** The types that agents read as messages. The others are for the session. */
export type MessageType = {
  [Type in keyof typeof rows]: (typeof rows)[Type]['category'] extends 'universal' ? Type : never;
}[keyof typeof rows];

export const isMessage = (type: SignalType): type is MessageType => kinds[type].category === 'universal';

/** The fault of a signal beyond the common schema, as one sentence, or null. The same for files, keys and commands. */
export const checkSignal = (signal: Signal): string | null => kinds[signal.type].check(signal);
