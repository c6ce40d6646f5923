import { guardEnds } from './ends.ts';
import { guardIssues, guardLandings, guardMerges, guardTracker } from './flow.ts';
import { guardForeign } from './foreign.ts';
import type { CreateGuard } from './guard.ts';
import { guardKnowledge } from './knowledge.ts';
import { guardLoop } from './loop.ts';
import { guardNowLine } from './now-line.ts';
import { guardRecord } from './record.ts';
import { guardAttempts, guardResults } from './results.ts';
import { guardScraps, guardSignals } from './signals.ts';
import { guardClaims, guardOnce } from './team.ts';
import { guardTrain } from './train.ts';
import { guardCalls, guardWork } from './work.ts';

/** Every promise that the simulation keeps an eye on. */
export const guards: readonly CreateGuard[] = [
  guardWork,
  guardCalls,
  guardEnds,
  guardNowLine,
  guardResults,
  guardAttempts,
  guardSignals,
  guardScraps,
  guardKnowledge,
  guardRecord,
  guardLoop,
  guardIssues,
  guardTracker,
  guardLandings,
  guardMerges,
  guardClaims,
  guardOnce,
  guardForeign,
  guardTrain,
];
