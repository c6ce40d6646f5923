import { withheldVariables } from '../../agents/backends/acp/environment/agent-variables.ts';
import { createBackends } from '../../agents/backends/index.io.ts';
import type { AgentTools } from '../../agents/tools.ts';
import { safe } from '../../base/safe.ts';
import { resolveSettings } from '../../session/config.ts';
import type { Settings } from '../../session/settings.ts';
import { type FoundAgent, findAgents, lackOf } from '../agents/found-agents.ts';
import { type Cli, Exit, exitCodes, usage } from '../cli.ts';
import { lazyTools } from '../host/session-tools.ts';
import { endSignals, onProcessSignals } from '../process-signals.ts';
import type { Finding } from '../report/finding.ts';
import { findWorkspace } from '../session/find-workspace.ts';
import { findLayers } from '../settings/load-settings.ts';
import { agentSubjects } from '../trust/agent-subjects.ts';
import { agreeTo, type Consent } from '../trust/ask-trust.ts';
import { configSubject } from '../trust/trust-subjects.ts';
import { version } from '../version.ts';
import { wireChanges, worktreesDirectory } from '../wire-changes.ts';
import { createWorld, type World } from '../world.ts';
import { trialFindings } from './trial-findings.ts';
import { inTrialPlace } from './trial-place.ts';
import { runTrial, type TrialPorts } from './trial-turn.ts';
import type { Trial } from './trial-witness.ts';

interface VerifyRequest {
  /** `null`: the Executor of the settings, else the first one installed. */
  readonly agent: string | null;
  readonly timeoutMs: number | null;
  readonly consent: Consent;
}

/** A first answer may wait for a download or for the vendor. */
const usualMs = 120_000;

/**
 * Tries one agent with one real turn, after a yes to its cost: in a worktree of the repository, after a yes to the files that the agent loads there, or in
 * an empty directory where no commit is checked out. Exit 3 when nobody can be asked.
 */
export const verifyAgent = async (cli: Cli, request: VerifyRequest): Promise<readonly Finding[]> => {
  const world = createWorld();
  const workspace = findWorkspace(cli.cwd);
  const { layers } = findLayers(cli, world, { workspace, attended: false });
  // The configuration of a repository may name any program as an agent.
  const config = configSubject(layers);
  const subjects = config === null ? [] : [config];
  if (!(await agreeTo(cli, world, { workspace, subjects }, request.consent))) throw nothingTried();
  const { settings } = resolveSettings(layers);
  const agent = chosenAgent(findAgents(world, cli.env['PATH'], workspace, settings), settings, request.agent);
  const { profile, name } = agent;
  if (agent.file === null) return [notInstalled(agent)];
  const changes = wireChanges(cli.env, world);
  const { repository } = await changes.examine(workspace);
  const inWorktree = repository !== null && repository.head !== null;
  if (inWorktree) {
    const loaded = agentSubjects(world, workspace, { ...settings, roles: { executor: name } });
    if (!(await agreeTo(cli, world, { workspace, subjects: loaded }, request.consent))) throw nothingTried();
  }
  await agreeToCost(cli, agent, request.consent);
  const timeoutMs = request.timeoutMs ?? usualMs;
  if (cli.stderr.isTTY === true) cli.note(`Waiting up to ${Math.round(timeoutMs / 1_000)} s for its answer…`);
  const withheld = profile === null ? [] : withheldVariables(profile, cli.env);
  const leave = new AbortController();
  const release = onProcessSignals(endSignals, () => leave.abort());
  const trial = await inTrialPlace(cli, changes, inWorktree ? workspace : null, (place) =>
    tryIn(cli, world, settings, name, { place, timeoutMs, over: leave.signal }),
  ).finally(release);
  if (trial.left)
    throw new Exit(exitCodes.aborted, { code: 'left', what: `the trial of ${safe(name)} was stopped` });
  return trialFindings(
    {
      name: safe(name),
      profile,
      withheld: withheld.map(safe),
      configured: Object.hasOwn(settings.agents, name),
      worktrees: inWorktree ? worktreesDirectory(cli.env) : null,
    },
    trial,
  ).map((finding) => ({
    ...finding,
    found: safe(world.redact(finding.found)),
    problem: finding.problem === null ? null : safe(world.redact(finding.problem)),
  }));
};

const nothingTried = (): Exit => new Exit(exitCodes.waits, { code: 'not-agreed', what: 'nothing was tried' });

const chosenAgent = (
  agents: readonly FoundAgent[],
  { roles }: Pick<Settings, 'roles'>,
  wanted: string | null,
): FoundAgent => {
  const executor = roles['executor'] === 'script' ? undefined : roles['executor'];
  const name = wanted ?? executor ?? agents.find(({ file }) => file !== null)?.name;
  const agent = agents.find((each) => each.name === name);
  if (agent !== undefined) return agent;
  throw usage(
    name === undefined ? 'no agent is installed' : `"${safe(name)}" is not an agent that can be tried`,
    name === undefined
      ? '`ralph-tui doctor` shows how to install one'
      : `name one of ${agents.map((each) => safe(each.name)).join(', ')}`,
  );
};

const notInstalled = ({ name, program, profile, ownCli }: FoundAgent): Finding => ({
  check: `${safe(name)}: start`,
  ok: false,
  found: lackOf({ ownCli }),
  problem: `${safe(program)} was not found`,
  hint: profile?.install
    ? `install it with \`${profile.install.command}\` (about ${profile.install.megabytes} MB)`
    : `put it on the PATH, or change agents.${safe(name)}.command in the configuration`,
});

const agreeToCost = async (cli: Cli, agent: FoundAgent, { yes, mayAsk }: Consent): Promise<void> => {
  const what = `This starts ${safe(agent.profile?.label ?? agent.name)} once, which costs one short call to its model`;
  if (yes) {
    cli.note(`${what}.`);
    return;
  }
  if (!mayAsk)
    throw new Exit(exitCodes.waits, {
      code: 'needs-yes',
      what: `doctor --verify makes one call to ${safe(agent.name)}, which costs money and needs confirmation`,
      hint: 'add --yes, or run this in a terminal to confirm',
    });
  const answer = await cli.typed.answer(() => cli.stderr.write(`${what}. Try it? [y/N] `));
  if (answer === null || !/^\s*y(?:es)?\s*$/i.test(answer)) throw nothingTried();
};

const tryIn = async (
  cli: Cli,
  world: World,
  settings: Settings,
  name: string,
  how: Pick<TrialPorts, 'place' | 'timeoutMs' | 'over'>,
): Promise<Trial> => {
  const tools = lazyTools(world);
  try {
    const backendWith = (watch: (tools: AgentTools) => AgentTools) => {
      const deps = { ...world, env: cli.env, version, tools: watch(tools) };
      const backend = createBackends(deps, settings.agents).find((each) => each.name === name);
      if (backend === undefined)
        throw usage(`agents.${safe(name)} cannot be used`, 'see `ralph-tui config check`');
      return backend;
    };
    return await runTrial({ ...world, ...how, backendWith });
  } finally {
    await tools.close();
  }
};
