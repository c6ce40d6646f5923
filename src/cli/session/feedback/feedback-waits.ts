import { namesIn } from '../../../base/names-in.ts';
import { modeOf } from '../../../pipeline/modes/index.ts';
import type { SessionState } from '../../../pipeline/state.ts';
import { readUnprocessedFeedback } from '../../../session/feedback.ts';
import { needsAgent, worksOnWords } from '../../../session/feedback-work.ts';
import type { SessionPaths } from '../../../session/paths.ts';
import type { World } from '../../world.ts';

/** `agent`: feedback waits that the session's agents cannot work on, because they only run commands. */
export type WaitingFeedback = 'none' | 'ready' | 'agent';

/** Whether feedback for the next iteration exists (src/session/README.md). The engine reports on reading whether it is usable. */
export const feedbackWaits = (
  { disk }: World,
  paths: SessionPaths,
  { iteration, settings, tasks, mode }: Pick<SessionState, 'iteration' | 'settings' | 'tasks' | 'mode'>,
): WaitingFeedback => {
  if (!modeOf({ mode }).readsFeedback) return 'none';
  if (namesIn(disk, paths.iteration(iteration + 1).feedbacks).length === 0) return 'none';
  if (worksOnWords(settings)) return 'ready';
  const { value } = readUnprocessedFeedback(disk, paths, iteration);
  return value.some(({ feedback }) => needsAgent(feedback, tasks.keys())) ? 'agent' : 'ready';
};

/** How feedback that waits for an agent is started. */
export const waitsForAgent = (session: string): string =>
  `Written feedback needs an agent with a model: \`ralph-tui resume ${session} --agent NAME\``;
