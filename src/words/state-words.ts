import { safe } from '../base/safe.ts';
import {
  failedStatus,
  isComplete,
  type SessionMode,
  type SessionStatus,
  type StateName,
} from '../session/status.ts';

/** The states in words of a person: several of the engine's are one. */
const words: { readonly [state in StateName]: string } = {
  INITIALIZING: 'Plan',
  PLANNING: 'Plan',
  REPLANNING: 'Plan',
  BATCHING: 'Work',
  EXECUTING_BATCH: 'Work',
  REVIEWING_BATCH: 'Work',
  SESSION_REVIEW: 'Review',
  KNOWLEDGE_EXTRACTION: 'Learn',
  KNOWLEDGE_APPROVAL: 'Learn',
  COMPLETE: 'Done',
  RUNNING: 'Work',
  DRAINING: 'Drain',
  STOPPED: 'Done',
};

/** A flow plans and reviews in phases of its own. */
const flowWords: Partial<Record<StateName, string>> = { PLANNING: 'List', SESSION_REVIEW: 'Assess' };

/** How a session ended without all of its work. */
const badEnds: Partial<Record<SessionStatus, string>> = { [failedStatus]: 'Failed', aborted: 'Aborted' };

/** The word for the bad end of a session, as of its end box. `null`: it has not ended, or ended well. */
export const badEnd = (state: StateName, status: SessionStatus): string | null =>
  (isComplete({ state, status }) ? badEnds[status] : null) ?? null;

/** A state in a word of a person. `status`: that of the session in this state, which says how it ended. */
export const stateWord = (state: StateName, mode: SessionMode, status: SessionStatus): string =>
  badEnd(state, status) ??
  (state === 'STOPPED' && !isComplete({ state, status }) ? 'Stopped' : null) ??
  (mode === 'flow' ? flowWords[state] : null) ??
  words[state];

/** The state of a session that has not ended, of which only the name is known: one of another program may have names of its own. '' where its status says all. */
export const stateNameWord = (name: string): string => {
  const word = stateNames.find(([known]) => known === name)?.[1] ?? name;
  return word === words.COMPLETE ? '' : word;
};
const stateNames = Object.entries(words);

/** What begins with a state. `null`: the next event says it, a task or a gate. */
const sentences: { readonly [state in StateName]: string | null } = {
  INITIALIZING: null,
  PLANNING: 'planning begins',
  REPLANNING: 'planning begins again',
  BATCHING: null,
  EXECUTING_BATCH: 'work begins',
  REVIEWING_BATCH: 'results are reviewed',
  SESSION_REVIEW: 'the review of the session begins',
  KNOWLEDGE_EXTRACTION: 'collecting what was learned',
  KNOWLEDGE_APPROVAL: null,
  COMPLETE: 'the work is over',
  RUNNING: 'the turns begin',
  DRAINING: 'no further turn begins',
  STOPPED: 'the loop is over',
};

/** A state that was entered, and why, as a sentence. `null` where both say nothing. */
export const stateSentence = (state: StateName, reason: string | undefined): string | null =>
  [sentences[state], reason === undefined ? null : safe(reason)].filter(Boolean).join(': ') || null;
