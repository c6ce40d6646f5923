import { nowWords, reachWords } from '../../agents/reach-words.ts';
import { assertNever } from '../../base/assert-never.ts';
import { safe, safeBlock } from '../../base/safe.ts';
import type { Event } from '../../pipeline/event.ts';
import type { SessionState, SignalLife } from '../../pipeline/state.ts';
import { checkpoints, checkpointsOf } from '../../signals/checkpoints.ts';
import { isMessage, kinds } from '../../signals/kinds.ts';
import { isWorker, type Signal } from '../../signals/signal.ts';
import { isSignalEvent, signalIdOf } from '../../words/events/signal-sentence.ts';
import { formatClock, formatSince, type LocalTime } from '../../words/local-time.ts';
import { unprovenQuestion } from '../../words/unproven.ts';
import type { ViewState } from '../view.ts';
import { isFinal, recipientWords, selectSignals } from './select-signals.ts';

/** A label and its text. Without a label the text continues the one before. */
type SignalFact = readonly [label: string, text: string];

/** Everything known about one signal, for its overlay: its message, its state, and its whole life as consumers reported it. */
export const selectSignal = (view: ViewState, id: string, now: LocalTime): readonly SignalFact[] => {
  const { session } = view;
  const life = session?.signals.get(id);
  if (life === undefined || !session) {
    const row = selectSignals(view).processed.find((each) => each.id === id);
    return row === undefined
      ? [['', 'This signal no longer exists.']]
      : [
          ['File', row.message],
          ['Now', row.word],
        ];
  }
  const { signal } = life;
  const facts: readonly (readonly [string, string | undefined | null])[] = [
    ['Asks', life.unproven ? unprovenQuestion(signal) : null],
    ['Type', signal.unproven?.type ?? signal.type],
    ['For', addressee(signal)],
    ['From', signal.from ?? claimOf(signal)],
    ['Request', signal.request],
    ['Option', signal.option],
    ['Message', signal.message],
    ['Apply', signal.apply],
    ['Files', signal.promote?.join(', ')],
    ['Set', signal.set ? JSON.stringify(signal.set) : null],
    [
      'Now',
      isFinal(life.stage) ? wordOf(view, id) : `${wordOf(view, id)} · for ${formatSince(life.since, now)}`,
    ],
    ['Read', placeOf(session, life)],
    ...[...life.recipients].map(
      ([who, how], index) =>
        [index === 0 ? 'Reached' : '', `${recipientWords(who)}: ${howWords(how)}`] as const,
    ),
    ...lifeOf(view, life, now),
    ['File', life.file],
    ['Id', life.id],
  ];
  return facts.flatMap(([label, text]) => (text ? [[label, safeBlock(text)] as const] : []));
};

/** What an unproven file says of its author. */
const claimOf = ({ unproven }: Signal): string | null =>
  unproven === undefined
    ? null
    : `not proven${unproven.from === undefined ? '' : `; the file says ${unproven.from}`}`;

/** The addressee. The session itself carries out signals about a task. */
const addressee = ({ target, task }: Signal): string => {
  if (task === undefined) return target;
  return target === 'ALL' ? `task ${task}` : `${target} on ${task}`;
};

const wordOf = (view: ViewState, id: string): string => {
  const { inbox, processed } = selectSignals(view);
  return [...inbox, ...processed].find((row) => row.id === id)?.word ?? '';
};

/** Where and when a pending signal is read next, given the running agents. */
const placeOf = (session: SessionState, life: SignalLife): string | null => {
  if (isFinal(life.stage) || life.queued) return null;
  if (life.unproven) return 'when a person confirms it';
  const { signal } = life;
  if (!session.running) return 'when the session is resumed';
  if (kinds[signal.type].category === 'session')
    return 'by the orchestrator within a second, also while agents work';
  if (signal.type === 'APPROVE' || signal.type === 'SKIP') return 'at the knowledge gate';
  const readers = [...session.invocations.values()].filter(
    (invocation) =>
      (invocation.stage === 'running' || invocation.stage === 'paused') &&
      (signal.target === 'ALL' || invocation.role === signal.target) &&
      (signal.task === undefined || invocation.task === signal.task) &&
      (signal.worker === undefined || isWorker(signal.worker, invocation.worker)) &&
      ![...life.recipients.keys()].some((who) => who.endsWith(invocation.id)),
  );
  if (readers.length === 0) return life.waitsFor;
  return readers
    .map((invocation) => {
      const { agent } = invocation;
      if (agent?.replying && isMessage(signal.type))
        return `${invocation.id} gets it ${signal.now === true ? nowWords : reachWords(agent.reach, signal.type)}`;
      const where = checkpointsOf(invocation.role).at(-1)?.where ?? '';
      const command = invocation.command === null ? '' : `; now \`${invocation.command.text}\` runs`;
      return `at the next checkpoint of ${invocation.id}, ${where}${command}`;
    })
    .join('\n');
};

const ways: Readonly<Record<string, string>> = {
  context: 'joined its context',
  tree: 'went through its decision tree',
  guidance: 'kept as guidance for later agents',
  injected: 'injected into its reply',
  'tool-result': 'came with a tool result',
  prompt: 'came with a new prompt',
};
const howWords = (how: string): string => ways[how] ?? how;

/** The steps in the journal, each with its time. Only the newest events are in memory. */
const lifeOf = (view: ViewState, life: SignalLife, now: LocalTime): readonly SignalFact[] => {
  const published: readonly string[] = life.signal.created_at
    ? [
        `${formatClock(life.signal.created_at, now)} written${life.signal.from ? ` by ${life.signal.from}` : ''}`,
      ]
    : [];
  const steps = view.events.flatMap((event) => {
    const words = signalStep(event, life.id);
    return words === null ? [] : [`${formatClock(event.at, now)} ${words}`];
  });
  const told = [...steps, ...unjournaled(view, life, now)];
  // A pending signal may have no steps yet. For any other signal the journal has them.
  const known =
    told.length > 0 || life.stage === 'pending'
      ? told
      : ['Its steps are no longer in memory; journal.jsonl has them.'];
  return explainedOnce([...published, ...known]).map(
    (text, index) => [index === 0 ? 'Life' : '', text] as const,
  );
};

/** A signal withdrawn while no host ran is recorded only in its archived file. */
const unjournaled = (view: ViewState, life: SignalLife, now: LocalTime): readonly string[] => {
  if (life.stage !== 'withdrawn' || life.handledBy === null) return [];
  const isTold = view.events.some((event) => event.type === 'signal.withdrawn' && event.id === life.id);
  return isTold ? [] : [`${formatClock(life.since, now)} withdrawn by ${life.handledBy}`];
};

/** Explains a checkpoint only at its first mention. */
const explainedOnce = (lines: readonly string[]): readonly string[] => {
  const explained = new Set<string>();
  return lines.map((line) =>
    checkpoints.reduce((text, { id, where }) => {
      const long = placeWords(id);
      if (!text.includes(long)) return text;
      if (!explained.has(where)) {
        explained.add(where);
        return text;
      }
      return text.replace(long, id);
    }, line),
  );
};

/** One step in the life of the signal with this id, in words; `null` for an event that is about something else. */
export const signalStep = (event: Event, id: string): string | null => {
  if (!isSignalEvent(event) || signalIdOf(event) !== id) return null;
  switch (event.type) {
    case 'signal.pending':
      return `pending: ${event.waits_for}`;
    case 'signal.claimed':
      return `claimed by ${event.by} at ${placeWords(event.checkpoint)}`;
    case 'signal.delivered':
      return `delivered to ${recipientWords(event.recipient)} at ${placeWords(event.checkpoint)}: ${howWords(event.how)}`;
    case 'signal.queued':
      return `queued: ${event.reason}`;
    case 'steer.decided':
      return `decided by ${event.invocation}: ${event.verdict}, ${event.action}${event.evidence ? ` (${event.evidence})` : ''}`;
    case 'signal.handled':
      return `${event.answered === false ? 'delivered to' : 'handled by'} ${event.handled_by} at ${placeWords(event.checkpoint)}: ${event.action_taken}`;
    case 'signal.rejected':
      return `rejected: ${event.reason}`;
    case 'signal.undelivered':
      return `undelivered: ${event.reason}`;
    case 'signal.withdrawn':
      return `withdrawn by ${event.by}`;
    default:
      return assertNever(event);
  }
};

/** `Executor.3.5 (after every command or tool call)`. An id of another program is shown as it is. */
const placeWords = (id: string): string => {
  const where = checkpoints.find((checkpoint) => checkpoint.id === id)?.where;
  return where === undefined ? safe(id) : `${id} (${where})`;
};
