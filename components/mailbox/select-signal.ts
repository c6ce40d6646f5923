import { nowWords, reachWords } from '../../src/agents/reach-words.ts';
import { safe, safeBlock } from '../../src/base/safe.ts';
import type { Event } from '../../src/pipeline/event.ts';
import type { SessionState, SignalLife } from '../../src/pipeline/state.ts';
import { checkpoints, checkpointsOf } from '../../src/signals/checkpoints.ts';
import { isMessage, kinds } from '../../src/signals/kinds.ts';
import { choiceNameOf } from '../../src/signals/question-kinds.ts';
import { readerWords } from '../../src/signals/reader-words.ts';
import { takenNow } from '../../src/signals/routing.ts';
import type { Signal } from '../../src/signals/signal.ts';
import { isSignalEvent, signalIdOf, signalStep } from '../../src/words/events/signal-sentence.ts';
import { type TaskOf, taskOfIn } from '../../src/words/events/subject-of.ts';
import { formatClock, formatSince, type LocalTime } from '../../src/words/local-time.ts';
import { readerOf, wayWords } from '../../src/words/signal-steps.ts';
import { unprovenQuestion } from '../../src/words/unproven.ts';
import type { ViewState } from '../view.ts';
import { nextReaders } from './next-readers.ts';
import { isFinal, selectSignals } from './select-signals.ts';

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
    ['Option', signal.option && choiceNameOf(signal.request ?? '', signal.option)],
    ['Message', signal.message],
    ['Apply', signal.apply],
    ['Files', signal.promote?.join(', ')],
    ['Set', signal.set ? JSON.stringify(signal.set) : null],
    [
      'Now',
      isFinal(life.stage) ? wordOf(view, id) : `${wordOf(view, id)} · for ${formatSince(life.since, now)}`,
    ],
    ['Read', readingOf(session, life)],
    ...[...life.recipients].map(
      ([who, how], index) =>
        [index === 0 ? 'Reached' : '', `${readerOf(who, taskOfIn(view.events))}${wayWords(how)}`] as const,
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
const readingOf = (session: SessionState, life: SignalLife): string | null => {
  if (isFinal(life.stage) || life.queued) return null;
  if (life.unproven) return 'when a person confirms it';
  const { signal } = life;
  if (!session.running) return 'when the session is resumed';
  if (kinds[signal.type].category === 'session') return 'within a second, even while agents work';
  if (signal.type === 'APPROVE' || signal.type === 'SKIP')
    return 'when the lessons from this session are waiting for you';
  const readers = nextReaders(life, session);
  if (readers.length === 0) return life.waitsFor;
  return readers
    .map((invocation) => {
      const { agent, id, task } = invocation;
      const reader = readerWords(id, task);
      if (agent?.replying && isMessage(signal.type))
        return `${reader} gets it ${signal.now === true ? nowWords : reachWords(agent.reach, signal.type)}`;
      const where = checkpointsOf(invocation.role, invocation.mode).at(-1)?.where ?? '';
      const command = invocation.command === null ? '' : `; \`${invocation.command.text}\` is running now`;
      return `by ${reader}, ${where}${command}`;
    })
    .join('\n');
};

/** The steps in the journal, each with its time. Only the newest events are in memory. */
const lifeOf = (view: ViewState, life: SignalLife, now: LocalTime): readonly SignalFact[] => {
  const published: readonly string[] = life.signal.created_at
    ? [
        `${formatClock(life.signal.created_at, now)} written${life.signal.from ? ` by ${life.signal.from}` : ''}`,
      ]
    : [];
  const steps = stepsOf(view, life.id).map(
    ({ at, words, place }) =>
      `${formatClock(at, now)} ${words}${place === null ? '' : ` (${checkpointWords(place)})`}`,
  );
  const told = [...steps, ...unjournaled(view, life, now)];
  // A pending signal may have no steps yet. For any other signal the journal has them.
  const known =
    told.length > 0 || life.stage === 'pending'
      ? told
      : ['Its steps are no longer in memory; journal.jsonl has them.'];
  return [...published, ...known].map((text, index) => [index === 0 ? 'Life' : '', text] as const);
};

/** A signal withdrawn while no host ran is recorded only in its archived file. */
const unjournaled = (view: ViewState, life: SignalLife, now: LocalTime): readonly string[] => {
  if (life.stage !== 'withdrawn' || life.handledBy === null) return [];
  const isTold = view.events.some((event) => event.type === 'signal.withdrawn' && event.id === life.id);
  return isTold ? [] : [`${formatClock(life.since, now)} withdrawn by ${life.handledBy}`];
};

interface Step {
  readonly at: string;
  readonly words: string;
  /** The checkpoint at which it was made. `null`: none, or that of the step before. */
  readonly place: string | null;
}

/** Each step once: an agent's decision and the end of its signal say the same. */
const stepsOf = (view: ViewState, id: string): readonly Step[] => {
  const steps: Step[] = [];
  const [said, places] = [new Set<string>(), new Set<string>()];
  for (const event of view.events) {
    const words = signalStepOf(event, id, taskOfIn(view.events));
    if (words === null || said.has(words)) continue;
    const place = placeOf(event);
    steps.push({ at: event.at, words, place: place === null || places.has(place) ? null : place });
    said.add(words);
    if (place !== null) places.add(place);
  }
  return steps;
};

const placeOf = (event: Event): string | null =>
  isSignalEvent(event) && 'checkpoint' in event ? event.checkpoint : null;

/** "after every command", for a checkpoint's name in files. Another program may have written a name of its own. */
const checkpointWords = (id: string): string => {
  const found = checkpoints.find((checkpoint) => checkpoint.id === id);
  return found === undefined ? safe(id) : (found.brief ?? found.where);
};

/** One step in the life of the signal with this id, in words; `null` for an event that is about something else, or that the next one says again. */
export const signalStepOf = (event: Event, id: string, taskOf: TaskOf): string | null => {
  if (!isSignalEvent(event) || signalIdOf(event) !== id) return null;
  return event.type === 'signal.pending' && event.waits_for === takenNow ? null : signalStep(event, taskOf);
};
