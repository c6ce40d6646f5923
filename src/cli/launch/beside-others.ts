import { safe } from '../../base/safe.ts';
import { sessionPaths } from '../../session/paths.ts';
import { readSessions } from '../../session/session-list.ts';
import { isComplete } from '../../session/status.ts';
import { parsePlan } from '../../tasks/plan-file.ts';
import { type Cli, Exit, exitCodes } from '../cli.ts';
import { type OpenSession, readSession } from '../session/open-session.ts';
import type { Consent } from '../trust/ask-trust.ts';
import type { World } from '../world.ts';

/** A session about to start; `text` is its plan, if it has one. */
export interface Starting {
  readonly workspace: string;
  readonly text?: string;
}

/** Start, attach to the running session, or leave. */
export type BesideOthers =
  | { readonly kind: 'start' | 'leave' }
  | { readonly kind: 'attach'; readonly to: OpenSession };

/**
 * Asks before a second session starts in a workspace: both would change the same files unaware of each other.
 * The question names the running session. Exit 3 when nobody can be asked; `--yes` starts with a note.
 */
export const besideOthers = async (
  cli: Cli,
  world: World,
  starting: Starting,
  { yes, mayAsk }: Consent,
): Promise<BesideOthers> => {
  const [other] = runningIn(world, starting.workspace);
  if (!other) return { kind: 'start' };
  const what = [runsAlready(other), ...sharedFiles(other, starting)].join('; ');
  if (yes) {
    cli.note(`ralph-tui: ${what}`);
    return { kind: 'start' };
  }
  if (!mayAsk)
    throw new Exit(exitCodes.waits, {
      code: 'already-running',
      what,
      hint: `watch it with \`ralph-tui attach ${other.paths.session}\`, or add --yes to start another one beside it`,
    });
  const answer = await cli.typed.answer(() => {
    cli.note(`${what}.`);
    cli.stderr.write('Attach to it, run this beside it, or neither? [a/r/N] ');
  });
  const letter = answer?.trim().toLowerCase() ?? '';
  if (letter === 'a' || letter === 'attach') return { kind: 'attach', to: other };
  if (letter === 'r' || letter === 'run') return { kind: 'start' };
  cli.note(`${answer === null ? '\n' : ''}Nothing was started.`);
  return { kind: 'leave' };
};

/** Our unfinished sessions that a living process runs, newest first. */
const runningIn = (world: World, workspace: string): readonly OpenSession[] =>
  readSessions(world.disk, workspace)
    .value.filter((session) => session.layout.ours && !isComplete(session))
    .map(({ session }) => readSession(world, sessionPaths(workspace, session)))
    .filter(({ host, state }) => host?.alive === true && !isComplete(state));

const runsAlready = ({ paths, host, state }: OpenSession): string =>
  `session ${paths.session} runs in this workspace already (process ${host?.pid ?? '?'}): ${safe(state.goal)}`;

const mostNamed = 5;

/** Files declared by the new plan and by open tasks of the running session. */
const sharedFiles = ({ state }: OpenSession, { text }: Starting): readonly string[] => {
  const plan = text === undefined ? null : parsePlan(text, 'plan');
  if (!plan?.ok) return [];
  const open = [...state.tasks.values()].filter(({ status }) => status !== 'done' && status !== 'cancelled');
  const theirs = new Set(open.flatMap(({ definition }) => definition.files));
  const both = [...new Set(plan.value.tasks.flatMap(({ files }) => files))].filter((file) =>
    theirs.has(file),
  );
  if (both.length === 0) return [];
  const more = both.length > mostNamed ? ` and ${both.length - mostNamed} more` : '';
  return [`both change ${both.slice(0, mostNamed).map(safe).join(', ')}${more}`];
};
