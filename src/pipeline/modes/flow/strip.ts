import type { StripEntry } from '../mode.ts';

const isShort: StripEntry['skipped'] = ({ flow }) => flow?.phases === 'few';

/** The states of a flow. EXECUTING_BATCH shows the phases of the list instead. */
export const strip: readonly StripEntry[] = [
  { state: 'PLANNING' },
  { state: 'EXECUTING_BATCH' },
  { state: 'SESSION_REVIEW', skipped: isShort },
  { state: 'KNOWLEDGE_EXTRACTION', skipped: isShort },
  { state: 'KNOWLEDGE_APPROVAL', skipped: isShort },
  { state: 'COMPLETE' },
];
