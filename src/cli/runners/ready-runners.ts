import { type Fault, toFault } from '../../base/fault.ts';
import { configuredPlaces, placesOf } from '../../pipeline/agents/placement.ts';
import type { Described } from '../../runners/remote/connection.ts';
import type { Settings } from '../../session/settings.ts';
import { here, type TaskDefinition } from '../../tasks/task.ts';
import { type KnownAgent, knownAgents } from '../agents/known-agents.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { type Runners, wireRunners } from './wire-runners.ts';

type Placed = Pick<TaskDefinition, 'on' | 'agent'>;
type Placing = Pick<Settings, 'on' | 'agents' | 'roles' | 'runners'>;

/** Bytes without which nothing can be checked out. */
const leastBytes = 67_108_864;

/**
 * Connects with every runner that may get work and looks for what that work needs: the way there, git, room on its disk, and the agents' programs. Returns
 * the first problem. Without it a session would find out attempt by attempt.
 */
export const readyRunners = async (
  cli: Pick<Cli, 'env' | 'cwd'>,
  world: World,
  settings: Parameters<typeof wireRunners>[2] & Placing,
  tasks: readonly Placed[],
): Promise<Fault | null> => {
  const wanted = agentsByRunner(settings, tasks);
  if (wanted.size === 0) return null;
  const known = knownAgents(settings);
  const runners = wireRunners(cli, world, settings);
  try {
    const problems = await Promise.all(
      [...wanted].map(async ([name, agents]) => {
        const described = await describedBy(runners, name);
        if ('code' in described) return described;
        const needed = known.filter((agent) => agents.has(agent.name));
        return problemOf(name, described, needed);
      }),
    );
    return problems.find((problem) => problem !== null) ?? null;
  } finally {
    runners.close();
  }
};

/** The agents that may work on each runner. */
const agentsByRunner = (
  settings: Placing,
  tasks: readonly Placed[],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const wanted = new Map<string, Set<string>>();
  const { executor = 'script', reviewer = 'script' } = settings.roles;
  const add = (places: readonly string[], agent: string): void => {
    for (const place of places)
      if (place !== here) wanted.set(place, (wanted.get(place) ?? new Set()).add(agent));
  };
  for (const task of tasks.length === 0 ? [{} as Placed] : tasks) {
    const agent = task.agent ?? executor;
    const workedOn = configuredPlaces(settings, { mode: 'IMPLEMENT', task, backend: agent });
    add(workedOn, agent);
    for (const backend of new Set([reviewer, 'script']))
      add(placesOf(settings, { mode: 'TASK_REVIEW', task, backend, workedOn, wrote: workedOn }), backend);
  }
  return wanted;
};

/** What a runner says of itself, or why it says nothing. */
export const describedBy = async (runners: Runners, name: string): Promise<Described | Fault> => {
  try {
    const runner = runners.of(name);
    await runner.ready();
    return (
      runner.described() ?? {
        code: 'runner-unreachable',
        what: 'it reported nothing about itself',
        where: `runner ${name}`,
      }
    );
  } catch (error) {
    return toFault(error);
  }
};

const problemOf = (
  name: string,
  { git, freeBytes, agents: there }: Described,
  needed: readonly KnownAgent[],
): Fault | null => {
  const where = `runner ${name}`;
  if (git === null)
    return {
      code: 'runner-no-git',
      what: 'git was not found there, but it is needed to transfer work',
      where,
      hint: 'install git there',
    };
  if (freeBytes < leastBytes)
    return {
      code: 'runner-disk',
      what: 'the disk there is full',
      where,
      hint: 'free some space in its home directory',
    };
  const absent = needed.find(({ program }) => !there.includes(program));
  if (absent === undefined) return null;
  const { program, profile } = absent;
  const install = profile?.install?.command;
  return {
    code: 'agent-not-found',
    what: `${profile?.label ?? absent.name} is not installed there: ${program} was not found`,
    where,
    hint:
      install === undefined ? `put \`${program}\` on the PATH there` : `install it there with \`${install}\``,
  };
};
