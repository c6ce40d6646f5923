import type { StripEntry } from '../mode.ts';

/** The states of a flow. EXECUTING_BATCH shows the phases of the list instead. */
export const strip: readonly StripEntry[] = [
  { state: 'PLANNING' },
  { state: 'EXECUTING_BATCH' },
  { state: 'SESSION_REVIEW' },
  { state: 'KNOWLEDGE_EXTRACTION' },
  { state: 'KNOWLEDGE_APPROVAL' },
  { state: 'COMPLETE' },
];
