import { join } from 'node:path';
import { formatTimestamp } from '../../../base/clock.ts';
import { diskCode } from '../../../base/disk.ts';
import { writeNew } from '../../../base/replace-file.ts';
import { discardDirectory } from '../../../base/temporary-file.ts';
import { formatFeedback, type Issue } from '../../../session/feedback.ts';
import type { OpenSession } from '../open-session.ts';

type FeedbackKind = 'critical' | 'quality' | 'requirement';

/**
 * Writes `feedbacks.md` for the iteration after the session's. Each call makes its own directory
 * (src/session/README.md). The file appears whole or not at all, so that the engine never reads half of it.
 */
export const writeFeedback = (
  session: OpenSession,
  kind: FeedbackKind,
  texts: readonly string[],
): { readonly iteration: number; readonly file: string; readonly text: string } => {
  const { disk, clock, random } = session.world;
  const iteration = session.state.iteration + 1;
  const { feedbacks } = session.paths.iteration(iteration);
  const issues = (prefix: string): readonly Issue[] =>
    texts.map((text, index) => ({
      id: `${prefix}-${String(index + 1).padStart(3, '0')}`,
      text,
      evidence: '',
      fix: '',
    }));
  for (let at = clock.now(); ; at += 1_000) {
    const timestamp = formatTimestamp(clock, at);
    const directory = join(feedbacks, stamp(timestamp));
    if (disk.lstat(directory) !== null) continue;
    disk.mkdir(directory);
    const file = join(directory, 'feedbacks.md');
    const text = formatFeedback({
      iteration,
      timestamp,
      previous_iteration: session.state.iteration,
      critical: kind === 'critical' ? issues('ISS') : [],
      quality: kind === 'quality' ? issues('Q') : [],
      requirements: kind === 'requirement' ? texts : [],
      artifacts: [],
      other: '',
    });
    try {
      writeNew(disk, random, file, text);
      return { iteration, file, text };
    } catch (error) {
      // Another program has just taken the same second.
      if (diskCode(error) === 'EEXIST') continue;
      discardDirectory(disk, directory);
      throw error;
    }
  }
};

/** `yyyyMMdd-HHmmss` of a local timestamp. */
const stamp = (timestamp: string): string =>
  `${timestamp.slice(0, 10).replaceAll('-', '')}-${timestamp.slice(11, 19).replaceAll(':', '')}`;
