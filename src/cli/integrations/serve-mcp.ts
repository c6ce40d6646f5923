import { safe } from '../../base/safe.ts';
import type { FlowRole } from '../../issues/task-list/task-phase.ts';
import { communicationRules } from '../../issues/team/communication.ts';
import { roleTools, watcherTools } from '../../mcp/outside/index.ts';
import { serveStdio } from '../../mcp/serve-stdio.io.ts';
import { createWorkerCalls } from '../../mcp/workers/create-worker-calls.ts';
import { workerTools } from '../../mcp/workers/worker-tools.ts';
import type { Agent } from '../../signals/signal.ts';
import { agentOrTeamRole, teamRoleNamed } from '../agent-options.ts';
import { type Cli, Exit, exitCodes, usage } from '../cli.ts';
import { openWritableSession } from '../session/open-session.ts';
import { isStartedByAgent } from '../started-by-agent.ts';
import { version } from '../version.ts';
import { createWorld } from '../world.ts';
import { createSessionCalls } from './session-calls.ts';
import { dialHost } from './worker-link.ts';

/** Serves the session to the program at the other end of stdin and stdout until it hangs up. */
export const serveMcp = async (
  cli: Cli,
  { session, as }: { readonly session?: string; readonly as?: string },
): Promise<number> => {
  const team = as === undefined ? null : teamRoleNamed(as);
  if (team !== null) return serveWorker(cli, team, session);
  const role = as === undefined ? null : agentOrTeamRole(as);
  if (role === null && isStartedByAgent(cli.env))
    throw usage('an agent cannot steer its own session', 'set its role with --as');
  if (session !== undefined) refuseUnusable(cli, session);
  const { clock, redact } = createWorld();
  await serveStdio(
    {
      clock,
      program: version,
      tools: role === null ? watcherTools : roleTools,
      calls: createSessionCalls(cli, { session, role }),
      instructions: role === null ? watcherText : roleText(role),
    },
    // A role acts on what it reads; a watcher only sees what a screen would show.
    { input: cli.stdin, output: cli.stdout, redact: role === null ? redact : (text) => text },
  );
  return exitCodes.done;
};

/** Serves a worker of a team. */
const serveWorker = async (cli: Cli, team: FlowRole, session: string | undefined): Promise<number> => {
  if (isStartedByAgent(cli.env))
    throw usage('an agent in a session cannot join a team: it is already a worker');
  if (session !== undefined) refuseUnusable(cli, session);
  const world = createWorld();
  let program = 'a program';
  await serveStdio(
    {
      clock: world.clock,
      program: version,
      tools: workerTools,
      calls: createWorkerCalls({
        team,
        program: () => program,
        self: world.spawn.self,
        reads: createSessionCalls(cli, { session, role: null }),
        dial: (known) => dialHost(cli, world, { named: session, known }),
      }),
      instructions: workerText(team),
      met: (client) => {
        program = safe(client).slice(0, 100);
      },
    },
    { input: cli.stdin, output: cli.stdout, redact: (text) => text },
  );
  return exitCodes.done;
};

/** A session that is named must be usable now; without a name, one may begin later. */
const refuseUnusable = (cli: Cli, session: string): void => {
  try {
    openWritableSession(cli, session);
  } catch (error) {
    throw error instanceof Exit ? new Exit(exitCodes.usage, error.fault) : error;
  }
};

const watcherText = `Tools of ralph-tui, which runs coding agents on the tasks of a session. Look with session_status, task_list and list_questions; steer with send_signal.
Only a person can approve gates, permissions, plans and reviews. Every result may carry messages from the person in charge: read "messages" and "next" in each.`;

const workerText = (
  team: FlowRole,
): string => `Tools of a worker in a team of ralph-tui: you are the ${team}. Call task_claim for a task, do it in the directory it names, and submit the result with task_update. Then call task_claim again.
${Object.values(communicationRules).join(' ')}
Your result counts once the program has checked it. Every result may carry messages from the person in charge: read "messages" and "next" in each.`;

const roleText = (
  role: Agent,
): string => `Tools of the session in which you are the ${role}. Name your task with work_on before you begin.
Every result may carry messages from the person in charge: read "messages" and "next" in each. Call check_signals after each step.`;
