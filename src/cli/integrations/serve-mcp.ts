import { roleTools, watcherTools } from '../../mcp/outside/index.ts';
import { serveStdio } from '../../mcp/serve-stdio.io.ts';
import type { Agent } from '../../signals/signal.ts';
import { type Cli, Exit, exitCodes, usage } from '../cli.ts';
import { agentNamed } from '../options.ts';
import { openWritableSession } from '../session/open-session.ts';
import { version } from '../version.ts';
import { createWorld } from '../world.ts';
import { createSessionCalls } from './session-calls.ts';

/** Serves the session to the program at the other end of stdin and stdout until it hangs up. */
export const serveMcp = async (
  cli: Cli,
  { session, as }: { readonly session?: string; readonly as?: string },
): Promise<number> => {
  const role = as === undefined ? null : agentNamed(as);
  if (role === null && cli.env['RALPH_RUN'] !== undefined)
    throw usage('an agent of a session does not steer it', 'say which role it has with --as');
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
    { input: cli.stdin, output: cli.stdout, redact },
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
Approving is a person's: gates, permissions, plans, reviews. Every result may carry messages of the person in charge: read "messages" and "next" in each.`;

const roleText = (
  role: Agent,
): string => `Tools of the session in which you are the ${role}. Name your task with work_on before you begin.
Every result may carry messages of the person in charge: read "messages" and "next" in each. Call check_signals after each step.`;
