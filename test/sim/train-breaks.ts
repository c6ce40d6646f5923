import type { Event } from '../../src/pipeline/event.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import type { Break } from './breaks.ts';

/** Another fact about the same task is told instead of this one. */
const instead =
  (type: 'merge.verified' | 'merge.landed'): NonNullable<Break['tell']> =>
  (event, state) => [
    event.type === type
      ? { type: 'merge.deferred', task: event.task, attempt: event.attempt, seq: event.seq, at: event.at }
      : event,
    state,
  ];

/** The branch is never where a merge began. */
const refused: NonNullable<Break['tell']> = (event, state) => [
  event.type === 'landing.started' ? { ...event, type: 'landing.refused', reason: 'elsewhere' } : event,
  state,
];

const momentOf = ({ seq, at }: Event): Pick<Event, 'seq' | 'at'> => ({ seq, at });

/** Every attempt counts as taken back, or none. */
const withUndone =
  (undone: string | null) =>
  (state: SessionState): SessionState => ({
    ...state,
    changes: {
      ...state.changes,
      attempts: new Map([...state.changes.attempts].map(([key, attempt]) => [key, { ...attempt, undone }])),
    },
  });

const inReview = (state: SessionState): SessionState => ({
  ...state,
  tasks: new Map([...state.tasks].map(([id, task]) => [id, { ...task, status: 'review' }])),
});

/** What a train promises: `guards/train.ts`. */
export const breaksOfTrains: Readonly<Record<string, Break>> = {
  'unverified-landing': { tell: instead('merge.verified') },
  'landed-apart': {
    tell: (event, state) => [
      event.type === 'attempt.merged' ? { ...event, before: 'elsewhere' } : event,
      state,
    ],
  },
  'done-without-landing': { tell: instead('merge.landed') },
  'landed-twice': {
    tell: (event, state) => {
      if (event.type === 'task.qualified' && event.commit === undefined)
        return [
          {
            type: 'attempt.merged',
            task: event.task,
            attempt: event.attempt,
            before: 'a',
            commit: 'b',
            files: [],
            ...momentOf(event),
          },
          state,
        ];
      if (event.type === 'worktree.removed') return [{ ...event, type: 'merge.landed' }, state];
      return [event, state];
    },
  },
  'verified-by-an-older-check': {
    tell: (event, state) => [
      event.type === 'attempt.merged' ? { ...event, seq: event.seq + 1_000_000 } : event,
      state,
    ],
  },
  'taken-back-and-done': { tell: refused },
  'taken-back-and-forgotten': { tell: refused, end: inReview },
  'landed-after-an-undo': {
    tell: (event, state) => [
      event.type === 'landing.started'
        ? { type: 'changes.undone', task: event.task, attempts: [], files: [], patch: '', ...momentOf(event) }
        : event,
      state,
    ],
  },
  'taken-back-in-words-only': { end: withUndone('a.patch') },
  'brought-back-in-words-only': { end: withUndone(null) },
};
