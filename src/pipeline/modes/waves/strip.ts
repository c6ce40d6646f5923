import type { StripEntry } from '../mode.ts';

/** The ten states in the order of the machine. Each iteration shows either its first planning or its replanning as skipped. */
export const strip: readonly StripEntry[] = [
  { state: 'INITIALIZING', skipped: ({ iteration }) => iteration > 1 },
  { state: 'PLANNING', skipped: ({ iteration }) => iteration > 1 },
  { state: 'REPLANNING', skipped: ({ iteration }) => iteration === 1 },
  { state: 'BATCHING' },
  { state: 'EXECUTING_BATCH' },
  { state: 'REVIEWING_BATCH' },
  { state: 'SESSION_REVIEW' },
  { state: 'KNOWLEDGE_EXTRACTION' },
  { state: 'KNOWLEDGE_APPROVAL' },
  { state: 'COMPLETE' },
];
