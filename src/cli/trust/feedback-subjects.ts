import { join, relative } from 'node:path';
import { sha256 } from '../../base/hash.io.ts';
import { readText } from '../../base/replace-file.ts';
import { safe, visibleLines } from '../../base/safe.ts';
import { acceptsFiles } from '../../pipeline/agents/accepts-files.ts';
import { modeOf } from '../../pipeline/modes/index.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { readUnprocessedFeedback } from '../../session/feedback.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { World } from '../world.ts';
import type { Subject } from './trust-subjects.ts';

/**
 * The feedback that a resume would start the next iteration with, each file by its path below the workspace. An agent of the session can write it as a
 * person does, and its commands would run, so it counts only while a person wrote it by our command, or after a yes.
 */
export const feedbackSubjects = (
  { disk }: World,
  paths: SessionPaths,
  state: SessionState | null,
): readonly Subject[] => {
  if (state?.state !== 'COMPLETE' || !modeOf(state).readsFeedback || acceptsFiles(state)) return [];
  const { value } = readUnprocessedFeedback(disk, paths, state.iteration);
  return value.map(({ directory }) => {
    const file = join(directory, 'feedbacks.md');
    const text = readText(disk, file) ?? '';
    return {
      name: safe(relative(paths.workspace, file)),
      sha256: sha256(text),
      would: `would start iteration ${state.iteration + 1}`,
      lines: visibleLines(text).filter((line) => line.trim() !== ''),
    };
  });
};
