import type { StripEntry } from '../mode.ts';

/** The states of a flow. EXECUTING_BATCH shows the phases of the list instead. */
export const strip: readonly StripEntry[] = [
  { state: 'PLANNING', word: 'List' },
  { state: 'EXECUTING_BATCH', word: 'Phases' },
  { state: 'SESSION_REVIEW', word: 'Assess' },
  { state: 'KNOWLEDGE_EXTRACTION', word: 'Learn' },
  { state: 'KNOWLEDGE_APPROVAL', word: 'Approve' },
  { state: 'COMPLETE', word: 'Done' },
];
