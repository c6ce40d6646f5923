import { safe } from '../../base/safe.ts';
import { sessionPaths } from '../../session/paths.ts';
import { readSessions } from '../../session/session-list.ts';
import { isComplete } from '../../session/status.ts';
import { parsePlan } from '../../tasks/plan-file.ts';
import { overlappingFiles } from '../../tasks/task-files.ts';
import { type OpenSession, readSession } from '../session/open-session.ts';
import type { World } from '../world.ts';

/** A session about to start; `text` is its plan, if it has one. */
export interface Starting {
  readonly workspace: string;
  readonly text?: string;
}

/** The session that a program runs in this workspace already, and a sentence about it and the files that both change. `null`: none. */
export const runningBeside = (
  world: World,
  starting: Starting,
): { readonly other: OpenSession; readonly what: string } | null => {
  const [other] = runningIn(world, starting.workspace);
  return other === undefined
    ? null
    : { other, what: [runsAlready(other), ...sharedFiles(other, starting)].join('; ') };
};

/** Our unfinished sessions that a living process runs, newest first. */
const runningIn = (world: World, workspace: string): readonly OpenSession[] =>
  readSessions(world.disk, workspace)
    .value.filter((session) => session.layout.ours && !isComplete(session))
    .map(({ session }) => readSession(world, sessionPaths(workspace, session)))
    .filter(({ host, state }) => host?.alive === true && !isComplete(state));

const runsAlready = ({ paths, host, state }: OpenSession): string =>
  `session ${paths.session} is already running in this workspace (process ${host?.pid ?? '?'}): ${safe(state.goal)}`;

const mostNamed = 5;

/** Files declared by the new plan and by open tasks of the running session. */
const sharedFiles = ({ state }: OpenSession, { text }: Starting): readonly string[] => {
  const plan = text === undefined ? null : parsePlan(text, 'plan');
  if (!plan?.ok) return [];
  const open = [...state.tasks.values()].filter(({ status }) => status !== 'done' && status !== 'cancelled');
  const both = overlappingFiles(
    { files: [...new Set(plan.value.tasks.flatMap(({ files }) => files))] },
    { files: [...new Set(open.flatMap(({ definition }) => definition.files))] },
  );
  if (both.length === 0) return [];
  const more = both.length > mostNamed ? ` and ${both.length - mostNamed} more` : '';
  return [`both change ${both.slice(0, mostNamed).map(safe).join(', ')}${more}`];
};
