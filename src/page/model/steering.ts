import { signalStepOf } from '../../../components/mailbox/select-signal.ts';
import { type SignalRow, selectSignals } from '../../../components/mailbox/select-signals.ts';
import type { ViewState } from '../../../components/view.ts';
import { safe, safeBlock } from '../../base/safe.ts';
import type { Event } from '../../pipeline/event.ts';
import { choiceNameOf } from '../../signals/question-kinds.ts';
import type { Signal } from '../../signals/signal.ts';
import { signalIdOf } from '../../words/events/signal-sentence.ts';
import { taskOfIn } from '../../words/events/subject-of.ts';

/** Something that a person said to the session, or decided, and the outcome. */
export interface Steering {
  readonly at: string;
  /** `STEER`, `ANSWER`, `gate`, `permission` … */
  readonly kind: string;
  /** The task or role it was for; '' for the whole session. */
  readonly to: string;
  /** '' where nobody is named. */
  readonly from: string;
  readonly text: string;
  /** The outcome, in words. */
  readonly outcome: string;
  readonly tone: 'good' | 'bad' | 'open';
  /** Each step of its life. */
  readonly life: readonly { readonly at: string; readonly text: string }[];
}

/** Signals, answers and decisions, the oldest first. */
export const pageSteering = (view: ViewState, events: readonly Event[]): readonly Steering[] =>
  [...signals(view, events), ...decisions(events)].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));

const signals = (view: ViewState, events: readonly Event[]): readonly Steering[] => {
  const { session } = view;
  if (session === null) return [];
  const about = Map.groupBy(events, signalIdOf);
  const { inbox, processed } = selectSignals({ ...view, events });
  return [...inbox, ...processed].map((row): Steering => {
    const signal = session.signals.get(row.id)?.signal;
    const own = about.get(row.id) ?? [];
    return {
      at: own[0]?.at ?? row.since,
      kind: row.type,
      to: row.target === 'ALL' ? '' : row.target,
      from: safe(signal?.from ?? ''),
      text: safeBlock(signal?.message ?? chosenIn(signal) ?? row.message),
      outcome: row.word,
      tone: toneOf(row),
      life: own.flatMap((event) => {
        const text = signalStepOf(event, row.id, taskOfIn(events));
        return text === null ? [] : [{ at: event.at, text: safe(text) }];
      }),
    };
  });
};

const chosenIn = (signal: Signal | undefined): string | undefined =>
  signal?.option === undefined ? undefined : choiceNameOf(signal.request ?? '', signal.option);

const toneOf = ({ stage, unheeded }: SignalRow): Steering['tone'] => {
  if (unheeded) return 'bad';
  if (stage === 'handled' || stage === 'unanswered') return 'good';
  return stage === 'rejected' || stage === 'undelivered' || stage === 'withdrawn' ? 'bad' : 'open';
};

/** Decisions that keys made without a signal, and those that nobody made in time. */
const decisions = (events: readonly Event[]): readonly Steering[] => {
  const asked = new Map<string, string>();
  return events.flatMap((event): readonly Steering[] => {
    switch (event.type) {
      case 'permission.asked':
        asked.set(event.request, safe(event.title));
        return [];
      case 'permission.answered':
        if (event.decision === 'cancelled') return [];
        return [
          decision(event, 'permission', {
            to: safe(event.task ?? ''),
            text: asked.get(event.request) ?? safe(event.request),
            outcome: permissionWords[event.decision],
            tone: event.decision === 'no' ? 'bad' : 'good',
          }),
        ];
      case 'gate.decided':
        if (event.signal !== null) return [];
        return [
          decision(event, `${event.gate} gate`, {
            to: '',
            text: '',
            outcome: gateWords[event.decision],
            tone: event.decision === 'approve' ? 'good' : 'open',
          }),
        ];
      default:
        return [];
    }
  });
};

const decision = (
  event: Event & { readonly by: string },
  kind: string,
  rest: Pick<Steering, 'to' | 'text' | 'outcome' | 'tone'>,
): Steering => ({ at: event.at, kind, from: safe(event.by), life: [], ...rest });

const permissionWords = { once: 'allowed once', session: 'allowed for the session', no: 'refused' } as const;
const gateWords = {
  approve: 'approved',
  skip: 'skipped',
  carry: 'carried over to the next iteration',
  abort: 'aborted',
} as const;
