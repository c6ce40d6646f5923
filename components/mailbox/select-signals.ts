import { assertNever } from '../../src/base/assert-never.ts';
import { memoise } from '../../src/base/memoise.ts';
import { safe } from '../../src/base/safe.ts';
import type { Event } from '../../src/pipeline/event.ts';
import type { SessionState, SignalLife } from '../../src/pipeline/state.ts';
import { parseDecision } from '../../src/signals/steer-decision.ts';
import type { TaskOf } from '../../src/words/events/subject-of.ts';
import { shortQuestion } from '../../src/words/question-words.ts';
import { handledWords, readerOf, wayWords } from '../../src/words/signal-steps.ts';
import { signalWords } from '../../src/words/signal-words.ts';
import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';
import { shortWaits } from './next-readers.ts';

/** One line of Inbox or Processed. Its text comes from consumers' reports, never from the sender. */
export interface SignalRow {
  readonly id: string;
  readonly type: string;
  /** The task if there is one, else the role or "ALL". */
  readonly target: string;
  /** What it asks for, never ''. */
  readonly message: string;
  readonly stage: SignalLife['stage'];
  readonly queued: boolean;
  /** The stage of its life in words: "waits for the next agent on task-3", "read by the agent on task-3". */
  readonly word: string;
  /** The same in fewer words, the longest first, where there are such. */
  readonly shorter: readonly string[];
  readonly since: string;
  /** It was read, and its reader could not follow it. */
  readonly unheeded: boolean;
}

interface SignalTable {
  /** In reading order: oldest first. */
  readonly inbox: readonly SignalRow[];
  /** The latest to end comes first. */
  readonly processed: readonly SignalRow[];
  /** Held back until the resume. */
  readonly queued: number;
}

const none: SignalTable = { inbox: [], processed: [], queued: 0 };

/** Inbox and Processed. Computed once per session state. */
export const selectSignals = (view: Pick<ViewState, 'session' | 'events'>): SignalTable => {
  const table = view.session ? signalTable(view.session) : none;
  const files = rejectedFiles(view.events);
  return files.length === 0 ? table : { ...table, processed: newestFirst([...files, ...table.processed]) };
};

/** Rejected files that were no signals. Only their events tell of them. */
const rejectedFiles = memoise((events: readonly Event[]): readonly SignalRow[] =>
  events.flatMap((event) =>
    event.type === 'signal.rejected' && event.id === null
      ? [
          {
            id: `rejected:${event.seq}`,
            type: '?',
            target: '',
            message: safe(event.file),
            stage: 'rejected',
            queued: false,
            word: `rejected: ${safe(event.reason)}`,
            shorter: [],
            since: event.at,
            unheeded: false,
          } as const,
        ]
      : [],
  ),
);

const newestFirst = <T extends { readonly since: string }>(rows: readonly T[]): readonly T[] =>
  [...rows].sort((a, b) => Date.parse(b.since) - Date.parse(a.since));

const signalTable = memoise((session: SessionState): SignalTable => {
  const lives = [...session.signals.values()];
  const inbox = lives.filter((life) => !isFinal(life.stage));
  // The latest to end comes first, whenever it was written.
  const processed = newestFirst(lives.filter((life) => isFinal(life.stage)).reverse());
  return {
    inbox: inbox.map((life) => rowOf(life, session)),
    processed: processed.map((life) => rowOf(life, session)),
    queued: inbox.filter((life) => life.queued).length,
  };
});

/** Rejected signals that nobody has seen in Processed yet. */
export const unseenRejections = (view: Pick<ViewState, 'session' | 'events' | 'ui'>): number =>
  Math.max(0, rejections(view) - view.ui.rejectionsSeen);

/** The view after a look at Processed. */
export const seeRejections = (view: ViewState): ViewState =>
  unseenRejections(view) === 0 ? view : withUi(view, { rejectionsSeen: rejections(view) });

const rejections = (view: Pick<ViewState, 'session' | 'events'>): number =>
  selectSignals(view).processed.filter(({ stage }) => stage === 'rejected').length;

/** The signal under the list's cursor: the chosen one, else the first. */
export const selectChosenSignal = (
  view: Pick<ViewState, 'session' | 'events' | 'ui'>,
  list: 'inbox' | 'processed',
): string | null => view.ui.selected[list] ?? selectSignals(view)[list][0]?.id ?? null;

/** Whether the signal is finished. */
export const isFinal = (stage: SignalLife['stage']): boolean =>
  stage === 'handled' ||
  stage === 'unanswered' ||
  stage === 'rejected' ||
  stage === 'undelivered' ||
  stage === 'withdrawn';

const rowOf = (life: SignalLife, session: SessionState): SignalRow => {
  const decision = life.stage === 'handled' ? parseDecision(life.action ?? '') : null;
  const unheeded = decision?.verdict === 'not followed';
  return {
    id: life.id,
    type: life.signal.type,
    target: safe(life.signal.task ?? life.signal.worker ?? life.signal.target),
    message: messageOf(life, session),
    stage: life.stage,
    queued: life.queued,
    word: lifeWords(life, session),
    shorter: (unheeded ? [decision.evidence] : shortWaits(life, session)).map(safe),
    since: life.since,
    unheeded,
  };
};

/** Of an answer also the question, which its file only names. */
const messageOf = ({ signal, question }: SignalLife, { questions }: SessionState): string => {
  const asked = signal.type === 'ANSWER' ? (question ?? questions.get(signal.request ?? '')) : undefined;
  if (asked === undefined) return signalWords(signal);
  return `${signalWords(signal)} · ${safe(shortQuestion(asked.text))}`;
};

/** How far the signal is, in words: when it will be read, by whom it was, or what came of it. */
export const lifeWords = (life: SignalLife, session: SessionState): string => {
  const taskOf: TaskOf = (invocation) => session.invocations.get(invocation)?.task ?? undefined;
  const reader = (who: string): string => readerOf(who, taskOf, life.signal.task);
  switch (life.stage) {
    case 'pending':
      if (life.queued) return session.hold ? 'queued until you resume' : 'queued';
      return life.waitsFor ? safe(life.waitsFor) : 'pending';
    case 'claimed':
      return `taken${life.handledBy ? ` by ${reader(life.handledBy)}` : ''}`;
    case 'delivered': {
      const taken = [...life.recipients].map(([recipient, how]) => `${reader(recipient)}${wayWords(how)}`);
      if (life.queued) return 'queued until you resume';
      return taken.length === 0 ? 'on its way' : `reached ${taken.join(', ')}`;
    }
    case 'handled':
    case 'unanswered': {
      const by = [...life.recipients.keys()].at(-1) ?? life.handledBy ?? '';
      const unanswered = life.stage === 'unanswered';
      return handledWords(life.signal, { by, action: life.action ?? '', unanswered }, taskOf);
    }
    case 'rejected':
      return `rejected${life.action ? `: ${safe(life.action)}` : ''}`;
    case 'undelivered':
      return `not delivered${life.action ? `: ${safe(life.action)}` : ''}`;
    case 'withdrawn':
      return `withdrawn${life.handledBy === null ? '' : ` by ${safe(life.handledBy)}`}`;
    default:
      return assertNever(life.stage);
  }
};
