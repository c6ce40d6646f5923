/** A word of the screen reader's prompt, with the keys of the screen it replaces. */
interface Verb {
  readonly usage: string;
  readonly what: string;
  /** Ids of the command table. */
  readonly commands: readonly string[];
}

/** Words that can be typed while a session runs in lines. The program's own subcommands work as well, for this session. */
export const verbs: readonly Verb[] = [
  { usage: 'pause', what: 'pause: running commands finish first', commands: ['steer.pause'] },
  {
    usage: 'resume',
    what: 'continue after a pause; run the session here if no process does',
    commands: ['session.resume', 'end.resume', 'steer.pause'],
  },
  {
    usage: 'steer MESSAGE',
    what: 'steer: the agents restart, adjust or escalate',
    commands: ['steer.steer', 'write.send'],
  },
  {
    usage: 'info MESSAGE',
    what: 'inform the agents; never restarts or pauses them',
    commands: ['steer.info'],
  },
  {
    usage: 'signal TYPE [MESSAGE] [--target ROLE] [--task ID] [--apply VERDICT] [--now]',
    what: 'send any signal to anyone; --now interrupts a reply; --set changes settings',
    commands: [
      'steer.now',
      'steer.replace',
      'steer.more',
      'steer.fewer',
      'write.send-and-resume',
      'write.recipient',
      'write.recipient-back',
      'write.type',
      'write.apply',
    ],
  },
  {
    usage: 'signals [list | withdraw ID | confirm ID]',
    what: 'list the signals, withdraw one, or confirm that you sent one',
    commands: [
      'steer.edit',
      'signal.edit',
      'signal.withdraw',
      'signal.confirm',
      'look.inbox',
      'look.processed',
      'end.inbox',
      'end.processed',
    ],
  },
  {
    usage: 'retry TASK [MESSAGE]',
    what: 'reopen a task',
    commands: ['steer.retry', 'end.retry', 'end.retry-with'],
  },
  { usage: 'cancel TASK', what: 'stop one task', commands: ['steer.cancel'] },
  {
    usage: 'stop [--now]',
    what: 'stop the session when running work has ended; --now aborts it',
    commands: ['steer.drain'],
  },
  {
    usage: 'abort ABORT',
    what: 'stop every agent and end the session; type the word twice to confirm',
    commands: ['steer.abort'],
  },
  {
    usage: 'approve [FILES…]',
    what: 'keep the lessons',
    commands: ['knowledge.choose', 'knowledge.approve', 'knowledge.confirm'],
  },
  { usage: 'skip', what: 'keep no lessons', commands: ['knowledge.skip'] },
  {
    usage: 'answer REQUEST …',
    what: 'answer a question, or the plan gate',
    commands: ['answer.send'],
  },
  {
    usage: 'review TASK --accept | --reject TEXT [--comment FILE:LINE: TEXT]',
    what: 'accept or reject a finished task that is waiting for your review',
    commands: ['review.accept', 'review.reject', 'review.comment'],
  },
  {
    usage: 'status',
    what: 'the status of the session and what it is waiting for',
    commands: ['decide.open', 'decide.choose', 'end.review'],
  },
  {
    usage: 'tasks [ready | graph | why ID]',
    what: 'the tasks, or why one is not running',
    commands: [
      'look.open',
      'look.details',
      'end.details',
      'end.open',
      'read.filter',
      'read.neighbours',
      'draw.form',
    ],
  },
  {
    usage: 'logs [TASK]',
    what: 'the output of a task',
    commands: ['look.output', 'end.output', 'read.earlier-attempt', 'read.later-attempt'],
  },
  { usage: 'diff [TASK]', what: 'what a task changed', commands: ['look.changes', 'end.changes'] },
  { usage: 'report', what: 'the report of the session', commands: ['end.show'] },
  {
    usage: 'sessions',
    what: 'all sessions in this workspace',
    commands: ['session.list', 'end.sessions'],
  },
  {
    usage: 'keys',
    what: 'every key of the screen, with its command here or why there is none',
    commands: [],
  },
  { usage: 'help', what: 'this list', commands: ['look.help', 'look.palette', 'palette.run'] },
  { usage: 'quit', what: 'pause, save and leave', commands: ['leave.quit', 'end.quit'] },
];

/** Subcommands that may be typed here; the session's id is added to them. */
const ofSession = new Set([
  'signal',
  'signals',
  'retry',
  'cancel',
  'stop',
  'approve',
  'skip',
  'answer',
  'review',
  'status',
  'tasks',
  'logs',
  'diff',
  'report',
]);

type Typed =
  | { readonly kind: 'call'; readonly argv: readonly string[] }
  | { readonly kind: 'help' }
  | { readonly kind: 'keys' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown'; readonly text: string };

/** Parses a typed line. Messages of `steer` and `info` need no quotes. */
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
      return ofSession.has(verb)
        ? call(...words)
        : { kind: 'unknown', text: `unknown command "${verb}": help lists all commands` };
  }
};

/** Splits at blanks; quotes keep words together. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
