import type { SignalField } from '../../signals/kinds.ts';
import type { Signal } from '../../signals/signal.ts';

type OptionsOf = (signal: Signal) => readonly string[];

/** The options of `ralph-tui signal` for each field that not every type reads. */
const optionsOf: Readonly<Record<SignalField, OptionsOf>> = {
  task: ({ task }) => (task === undefined ? [] : ['--task', task]),
  worker: ({ worker }) => (worker === undefined ? [] : ['--worker', worker]),
  // UNDO and REDO are commands of their own.
  attempt: () => [],
  apply: ({ apply }) => (apply === undefined ? [] : ['--apply', apply]),
  resume: ({ resume }) => (resume ? ['--resume'] : []),
  now: ({ now }) => (now ? ['--now'] : []),
  promote: ({ promote = [] }) => (promote.length === 0 ? [] : ['--promote', ...promote]),
  request: ({ request }) => (request === undefined ? [] : ['--request', request]),
  option: ({ option }) => (option === undefined ? [] : ['--option', option]),
  set: ({ set }) =>
    set === undefined ? [] : ['--set', ...Object.entries(set).map(([key, value]) => `${key}=${value}`)],
};

/** The words of the command that sends this signal, without its session, type and message. */
export const signalArguments = (signal: Signal): readonly string[] => [
  'signal',
  '--target',
  signal.target,
  ...Object.values(optionsOf).flatMap((options) => options(signal)),
];
