import type { EventOf } from '../event.ts';
import type { HandlersOf, Patch } from '../handler.ts';
import { change, type Owned, put } from '../maps.ts';
import type { SessionState, SignalLife } from '../state.ts';
import { keptOrder } from './orders.ts';
import { plainMessage } from './plain.ts';

/** The life of a signal for the screen (src/signals/README.md, "How the screen shows a signal"). */
export const signals: HandlersOf<
  | 'signal.pending'
  | 'signal.claimed'
  | 'signal.delivered'
  | 'signal.queued'
  | 'signal.handled'
  | 'signal.rejected'
  | 'signal.undelivered'
  | 'signal.withdrawn'
  | 'steer.decided'
> = {
  'signal.pending': (state, event, own) => {
    const { id, file, signal } = event.pending;
    const known = state.signals.get(id);
    if (known && final.has(known.stage)) return null;
    return live(state, own, {
      ...(known ?? unreadLife({ ...event, id, file, signal })),
      // Its author may be known by now.
      signal,
      stage: 'pending',
      waitsFor: event.waits_for,
      unproven: event.unproven === true,
    });
  },

  'signal.claimed': (state, event, own) =>
    live(state, own, {
      ...(state.signals.get(event.id) ?? unreadLife(event)),
      signal: event.signal,
      stage: 'claimed',
      since: event.at,
      waitsFor: null,
      unproven: false,
      queued: false,
      checkpoint: event.checkpoint,
      handledBy: event.by,
    }),

  'signal.delivered': (state, event, own) => ({
    signals: change(own, state.signals, event.id, (life) => ({
      ...life,
      stage: final.has(life.stage) ? life.stage : 'delivered',
      since: event.at,
      queued: false,
      checkpoint: event.checkpoint,
      recipients: new Map([...life.recipients, [event.recipient, event.how]]),
    })),
    ...told(state, event, own),
  }),

  'signal.queued': (state, event, own) => ({
    signals: change(own, state.signals, event.id, (life) => ({
      ...life,
      queued: true,
      waitsFor: event.reason,
    })),
  }),

  'signal.handled': (state, event, own) =>
    over(state, own, event, event.answered === false ? 'unanswered' : 'handled', {
      handledBy: event.handled_by,
      action: event.action_taken,
      checkpoint: event.checkpoint,
      question: state.questions.get(event.signal.request ?? '') ?? null,
    }),

  'signal.rejected': (state, event, own) => {
    const known = event.id === null ? undefined : state.signals.get(event.id);
    // A file without an id was never a signal. The event is all there is to show.
    return known
      ? live(state, own, {
          ...known,
          stage: 'rejected',
          since: event.at,
          waitsFor: null,
          unproven: false,
          queued: false,
          action: event.reason,
        })
      : null;
  },

  'signal.undelivered': (state, event, own) =>
    over(state, own, event, 'undelivered', { action: event.reason }),

  'signal.withdrawn': (state, event, own) =>
    over(state, own, event, 'withdrawn', { handledBy: event.by, action: `withdrawn by ${event.by}` }),

  'steer.decided': (state, event, own) => ({
    ...(event.verdict === 'escalate'
      ? {
          invocations: change(own, state.invocations, event.invocation, (invocation) => ({
            ...invocation,
            escalatedBy: event.id,
          })),
        }
      : {}),
    signals: change(own, state.signals, event.id, (life) => ({
      ...life,
      action: `${event.verdict}: ${event.action}`,
    })),
  }),
};

const final: ReadonlySet<SignalLife['stage']> = new Set([
  'handled',
  'unanswered',
  'rejected',
  'undelivered',
  'withdrawn',
] as const);

const live = (state: SessionState, own: Owned, life: SignalLife): Patch => ({
  signals: put(own, state.signals, life.id, life),
});

const over = (
  state: SessionState,
  own: Owned,
  event: EventOf<'signal.handled' | 'signal.undelivered' | 'signal.withdrawn'>,
  stage: SignalLife['stage'],
  last: Partial<SignalLife>,
): Patch =>
  live(state, own, {
    ...(state.signals.get(event.id) ?? unreadLife(event)),
    stage,
    since: event.at,
    waitsFor: null,
    unproven: false,
    queued: false,
    ...last,
  });

/** The life of a signal that nobody has read yet. */
export const unreadLife = (event: {
  readonly id: string;
  readonly file: string;
  readonly signal: SignalLife['signal'];
  readonly at: string;
}): SignalLife => ({
  id: event.id,
  file: event.file,
  signal: event.signal,
  stage: 'pending',
  since: event.at,
  waitsFor: null,
  unproven: false,
  queued: false,
  checkpoint: null,
  handledBy: null,
  action: null,
  question: null,
  recipients: new Map(),
});

/** Gives the message to its recipient if that is an invocation, and to every later one when it stands as guidance (src/signals/README.md, rule 8). */
const told = (state: SessionState, event: EventOf<'signal.delivered'>, own: Owned): Patch => {
  if (!event.message) return null;
  const message = plainMessage(event.message);
  const guides = event.broadcast || event.how === 'guidance';
  const known = state.standing.some((old) => old.id === message.id);
  // A recipient is an invocation, or `<Agent>~<invocation>` as in `acks/`.
  const recipient = event.recipient.slice(event.recipient.indexOf('~') + 1);
  return {
    ...keptOrder(state, own, state.invocations.get(recipient)?.task, event, message),
    ...(guides && !known ? { standing: [...state.standing, message] } : {}),
    invocations: change(own, state.invocations, recipient, (invocation) => ({
      ...invocation,
      messages: invocation.messages.some((old) => old.id === message.id)
        ? invocation.messages
        : [...invocation.messages, message],
    })),
  };
};
