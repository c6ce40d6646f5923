import { formatFault } from '../../base/fault.ts';
import type { Settings } from '../../session/settings.ts';
import { type Cli, Exit } from '../cli.ts';
import { agentSubjects } from '../trust/agent-subjects.ts';
import { trustQuestion } from '../trust/trust-question.ts';
import type { World } from '../world.ts';
import { checkAgents } from './check-agents.ts';

/**
 * Why a task may not be given to this agent while the session runs, or `null`: its program is not there, it reports no cost that a limit needs, or it
 * would load files of the repository that nobody agreed to. The start asked all of this for the agents of its own plan.
 */
export const taskAgentProblem =
  (cli: Cli, world: World, workspace: string, settings: Settings) =>
  (agent: string): string | null => {
    try {
      checkAgents(cli, world, workspace, { ...settings, roles: {} }, [{ agent }]);
    } catch (error) {
      if (error instanceof Exit) return formatFault(error.fault);
      throw error;
    }
    const subjects = agentSubjects(world, workspace, { ...settings, roles: {} }, [{ agent }]);
    const [asked] = trustQuestion(cli.env, world, workspace, subjects)?.asked ?? [];
    return asked === undefined
      ? null
      : `${agent} would load files of this repository that were not accepted; start a session with it in a terminal to review and accept them`;
  };
