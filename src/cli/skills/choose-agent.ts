import type { AgentProfile } from '../../agents/profiles/profile.ts';
import { safe } from '../../base/safe.ts';
import type { Layer } from '../../session/config.ts';
import { guidanceFileName } from '../../session/guidance/guidance.ts';
import type { Settings } from '../../session/settings.ts';
import type { FoundSkill } from '../../skills/find-skills.ts';
import { findAgents, lackOf } from '../agents/found-agents.ts';
import { type Cli, usage } from '../cli.ts';
import { agentSubjects } from '../trust/agent-subjects.ts';
import { guidanceSubjects } from '../trust/guidance-store.ts';
import { skillSubject } from '../trust/own-skills.ts';
import { configSubject, type Subject } from '../trust/trust-subjects.ts';
import type { World } from '../world.ts';

/** The agent to converse with: the named one, else the Executor of the settings, else the first one installed. Throws a usage error without one. */
export const chooseAgent = (
  cli: Cli,
  world: World,
  workspace: string,
  settings: Settings,
  wanted: string | null,
): AgentProfile => {
  const agents = findAgents(world, cli.env['PATH'], workspace, settings);
  const usual = settings.roles['executor'];
  const name =
    wanted ??
    agents.find((agent) => agent.name === usual && agent.profile !== null)?.name ??
    agents.find(({ file, profile }) => file !== null && profile !== null)?.name;
  const agent = agents.find((each) => each.name === name);
  if (agent === undefined)
    throw usage(
      name === undefined
        ? 'this skill needs an agent, but none is installed'
        : `unknown agent "${safe(name)}"`,
      '`ralph-tui doctor` shows how to install one; draft-idea and form-idea work without one',
      'no-agent',
    );
  if (agent.profile === null)
    throw usage(`${safe(agent.name)} runs a command, but a conversation needs an agent that speaks ACP`);
  if (agent.file === null)
    throw usage(
      `${safe(agent.profile.label)} is ${lackOf(agent)}: ${safe(agent.program)} was not found`,
      agent.profile.install === null ? 'put it on the PATH' : `install it: ${agent.profile.install.command}`,
      'no-agent',
    );
  return agent.profile;
};

/** Everything that the repository gives to the conversation: the skill, the files that the agent loads, and settings that widen. */
export const skillSubjects = (
  world: World,
  workspace: string,
  settings: Settings,
  of: { readonly skill: FoundSkill; readonly agent: string | null; readonly layers: readonly Layer[] },
): readonly Subject[] => {
  const config = of.agent === null ? null : configSubject(of.layers);
  return [
    ...(of.skill.origin === 'repository' ? [skillSubject(of.skill)] : []),
    ...(config === null ? [] : [config]),
    ...(of.agent === null
      ? []
      : [
          ...guidanceSubjects(world, workspace).filter(({ name }) => name === guidanceFileName),
          ...agentSubjects(world, workspace, { ...settings, roles: {} }, [{ agent: of.agent }]),
        ]),
  ];
};
