import type { LineWord } from '../../../components/in-lines.ts';

/** A word of the screen reader's prompt. */
interface Verb {
  readonly usage: string;
  readonly what: string;
}

/**
 * Words that can be typed while a session runs in lines; each command of the screen names its own (`inLines`). The program's own subcommands
 * work as well, for this session.
 */
export const verbs: Readonly<Record<LineWord, Verb>> = {
  pause: { usage: 'pause', what: 'pause: running commands finish first' },
  resume: { usage: 'resume', what: 'continue after a pause; run the session here if no process does' },
  steer: { usage: 'steer MESSAGE', what: 'steer: the agents restart, adjust or escalate' },
  info: { usage: 'info MESSAGE', what: 'inform the agents; never restarts or pauses them' },
  signal: {
    usage: 'signal TYPE [MESSAGE] [--target ROLE] [--task ID] [--apply VERDICT] [--now]',
    what: 'send any signal to anyone; --now interrupts a reply; --set changes settings',
  },
  signals: {
    usage: 'signals [list | withdraw ID | confirm ID]',
    what: 'list the signals, withdraw one, or confirm that you sent one',
  },
  retry: { usage: 'retry TASK [MESSAGE]', what: 'reopen a task' },
  cancel: { usage: 'cancel TASK', what: 'stop one task' },
  stop: { usage: 'stop [--now]', what: 'stop the session when running work has ended; --now aborts it' },
  abort: {
    usage: 'abort ABORT',
    what: 'stop every agent and end the session; type the word twice to confirm',
  },
  approve: { usage: 'approve [FILES…]', what: 'keep the lessons' },
  skip: { usage: 'skip', what: 'keep no lessons' },
  answer: { usage: 'answer REQUEST …', what: 'answer a question, or the plan gate' },
  review: {
    usage: 'review TASK --accept | --reject TEXT [--comment FILE:LINE: TEXT]',
    what: 'accept or reject a finished task that is waiting for your review',
  },
  status: { usage: 'status', what: 'the status of the session and what it is waiting for' },
  tasks: { usage: 'tasks [ready | graph | why ID]', what: 'the tasks, or why one is not running' },
  logs: { usage: 'logs [TASK]', what: 'the output of a task' },
  diff: { usage: 'diff [TASK]', what: 'what a task changed' },
  report: { usage: 'report', what: 'the report of the session' },
  sessions: { usage: 'sessions', what: 'all sessions in this workspace' },
  keys: { usage: 'keys', what: 'every key of the screen, with its command here or why there is none' },
  help: { usage: 'help', what: 'this list' },
  quit: { usage: 'quit', what: 'pause, save and leave' },
};

type Typed =
  | { readonly kind: 'call'; readonly argv: readonly string[] }
  | { readonly kind: 'help' }
  | { readonly kind: 'keys' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown'; readonly text: string };

/** Parses a typed line; a word without a case here is a subcommand, to which the session's id is added. Messages of `steer` and `info` need no quotes. */
export const parseLine = (line: string, session: string): Typed => {
  const words = wordsOf(line);
  const [verb = '', ...rest] = words;
  const call = (...argv: readonly string[]): Typed => ({
    kind: 'call',
    argv: [...argv, '--session', session],
  });
  const text = line.trim().slice(verb.length).trim();
  switch (verb.toLowerCase()) {
    case '':
      return { kind: 'nothing' };
    case 'help':
    case '?':
      return { kind: 'help' };
    case 'keys':
      return { kind: 'keys' };
    case 'quit':
    case 'q':
      return { kind: 'quit' };
    case 'pause':
    case 'resume':
      return call('signal', verb.toUpperCase());
    case 'steer':
    case 'info':
      return text === ''
        ? { kind: 'unknown', text: `${verb} needs a message: ${verb} MESSAGE` }
        : call('signal', verb.toUpperCase(), text);
    case 'abort':
      return rest[0] === 'ABORT'
        ? call('signal', 'ABORT')
        : { kind: 'unknown', text: 'abort ends the session: type abort ABORT to confirm' };
    case 'sessions':
      return { kind: 'call', argv: words };
    case 'tasks':
      // A drawing says nothing when it is read aloud.
      return rest[0] === 'graph' && rest.length === 1 ? call(...words, '--waves') : call(...words);
    default:
      return Object.hasOwn(verbs, verb)
        ? call(...words)
        : { kind: 'unknown', text: `unknown command "${verb}": help lists all commands` };
  }
};

/** Splits at blanks; quotes keep words together. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
