import type { StripEntry } from '../mode.ts';

/** The ten states in the order of the machine. Each iteration shows either its first planning or its replanning as skipped. */
export const strip: readonly StripEntry[] = [
  { state: 'INITIALIZING', word: 'Init', skipped: (iteration) => iteration > 1 },
  { state: 'PLANNING', word: 'Plan', skipped: (iteration) => iteration > 1 },
  { state: 'REPLANNING', word: 'Replan', skipped: (iteration) => iteration === 1 },
  { state: 'BATCHING', word: 'Wave' },
  { state: 'EXECUTING_BATCH', word: 'Execute' },
  { state: 'REVIEWING_BATCH', word: 'Review' },
  { state: 'SESSION_REVIEW', word: 'Assess' },
  { state: 'KNOWLEDGE_EXTRACTION', word: 'Learn' },
  { state: 'KNOWLEDGE_APPROVAL', word: 'Approve' },
  { state: 'COMPLETE', word: 'Done' },
];
