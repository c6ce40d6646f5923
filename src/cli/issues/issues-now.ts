import type { Issue } from '../../issues/issue.ts';
import { isLocalTracker, trackerNamed } from '../../issues/trackers/tracker-name.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { isComplete } from '../../session/status.ts';
import type { Cli } from '../cli.ts';
import type { OpenSession } from '../session/open-session.ts';

/**
 * The state of a complete flow with its issues as they are now, where they are files: a person may have closed them since it ended. What cannot be read says
 * nothing.
 */
export const withIssuesNow = async (
  cli: Cli,
  { world, paths, state }: Pick<OpenSession, 'world' | 'paths' | 'state'>,
): Promise<SessionState> => {
  const { flow } = state;
  if (flow === null || flow.reading === null || !isComplete(state)) return state;
  const named = trackerNamed(flow.tracker);
  if (!named.ok || !isLocalTracker(named.value.name)) return state;
  const { openIssuesIn } = await import('./open-issues.ts');
  const { tracker } = openIssuesIn(cli, world, paths.workspace, { tracker: flow.tracker });
  const reading = await tracker.list();
  if (!reading.ok) return state;
  return withStates(state, reading.issues);
};

/** The state of a session whose issues are in the states of these, as far as they are among them. */
export const withStates = (
  state: SessionState,
  read: readonly Pick<Issue, 'id' | 'state'>[],
): SessionState => {
  const { flow } = state;
  if (flow === null || flow.reading === null) return state;
  const now = new Map(read.map((issue) => [issue.id, issue.state]));
  const issues = flow.reading.issues.map((issue) => ({ ...issue, state: now.get(issue.id) ?? issue.state }));
  return { ...state, flow: { ...flow, reading: { ...flow.reading, issues } } };
};
