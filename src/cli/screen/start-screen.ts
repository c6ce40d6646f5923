import { join } from 'node:path';
import { goalDraft } from '../../../components/drafts.ts';
import { createEditor } from '../../../components/keys/line-editor.ts';
import type { Start } from '../../../components/ports/start-intent.ts';
import {
  type AgentOffer,
  type SessionChoice,
  type StartOverlay,
  usableAgents,
} from '../../../components/start/start-list.ts';
import { readText } from '../../base/replace-file.ts';
import { createGit } from '../../changes/git/git.io.ts';
import { workspaceConfigFile } from '../../session/config.io.ts';
import { resolveSettings } from '../../session/config.ts';
import { sessionPaths } from '../../session/paths.ts';
import { formatAgo } from '../../words/local-time.ts';
import { agentOffers, findAgents } from '../agents/found-agents.ts';
import { type Cli, exitCodes } from '../cli.ts';
import { prepareGoal } from '../host/prepare-goal.ts';
import { type PlanStart, preparePlan } from '../host/prepare-plan.ts';
import type { StartRequest } from '../host/start-request.ts';
import { demoPermissions, prepareDemo } from '../session/demo-workspace.ts';
import { findOffers } from '../session/find-offers.ts';
import { listSessions, rowWords } from '../session/list-sessions.ts';
import { readSeen } from '../session/seen-file.ts';
import { findLayers } from '../settings/load-settings.ts';
import { recallWritten } from '../terminal/written-file.ts';
import { discoverChecks } from '../trust/discover-checks.ts';
import type { World } from '../world.ts';
import { blankPort, blankStore } from './blank-screen.ts';
import type { ShownSession } from './shown-session.ts';

/** The start screen as an overlay over the shown session. */
export const startOverlay = (
  env: Cli['env'],
  world: World,
  workspace: string,
  agents: readonly AgentOffer[] = [],
): StartOverlay => {
  const found = findOffers(world, workspace, agents);
  const agent = usableAgents(found)[0] ?? null;
  const isSetUp = world.disk.lstat(workspaceConfigFile(workspace)) !== null;
  const offers = agent === null || isSetUp ? found : { ...found, setup: true as const };
  // A goal needs an agent.
  const goal = recallWritten(env, world, offers.workspace).drafts['goal'] ?? '';
  const cursor = agent === null && goal === '' ? 1 : 0;
  return { kind: 'start', offers, cursor, editor: createEditor(goal), agent };
};

/** The screen of a workspace without sessions: the start screen over empty panes. */
export const showStart = (cli: Cli, world: World, workspace: string): ShownSession => {
  const store = blankStore(cli, world, workspace);
  store.act({
    type: 'overlay-opened',
    overlay: startOverlay(cli.env, world, workspace, offeredAgents(cli, world, workspace)),
  });
  return {
    paths: null,
    store,
    port: {
      ...blankPort(cli, world, workspace),
      perform: async () => 'there is no session yet',
    },
    hosted: false,
    flags: {},
    quit: async () => {},
    close: async () => ({
      exitCode: exitCodes.done,
      text:
        goalDraft(store.getState()).trim() === ''
          ? ''
          : 'The goal that you typed is kept: `ralph-tui` shows it again.',
    }),
  };
};

/** Prepares the choice of the start screen. */
export const prepareStart = async (
  cli: Cli,
  world: World,
  workspace: string,
  start: Exclude<Start, { what: 'issue' }>,
): Promise<StartRequest> =>
  start.what === 'goal'
    ? prepareGoal(cli, world, {
        workspace,
        goal: start.goal,
        mode: 'screen',
        flags: { agent: start.agent },
      })
    : preparePlan(cli, world, await planOf(cli, world, workspace, start));

const planOf = async (
  cli: Cli,
  world: World,
  workspace: string,
  start: Exclude<Start, { what: 'goal' | 'issue' }>,
): Promise<PlanStart> => {
  switch (start.what) {
    case 'demo': {
      const demo = prepareDemo(createGit(cli.env));
      return {
        workspace: demo.workspace,
        file: 'plan.yaml',
        text: demo.plan,
        source: 'demo',
        mode: 'screen',
        prepared: demo.prepared,
        flags: { permissions: demoPermissions },
      };
    }
    case 'plan': {
      const text = readText(world.disk, join(workspace, start.file)) ?? '';
      return { workspace, file: start.file, text, source: 'plan', mode: 'screen' };
    }
    case 'checks':
      return { workspace, ...discoverChecks(world.disk, workspace, cli.env['PATH']), mode: 'screen' };
  }
};

/**
 * Sessions of the given workspaces, newest first. Then sessions of other workspaces this person has seen,
 * latest change first.
 */
export const sessionChoices = (
  cli: Cli,
  world: World,
  workspaces: readonly string[],
  shown: string | null,
): readonly SessionChoice[] => {
  const seen = Object.values(readSeen(cli, world)).map(({ workspace }) => workspace);
  const here = new Set(workspaces);
  const found = (places: ReadonlySet<string>) =>
    [...places]
      .filter((place) => world.disk.lstat(join(place, '.ralph-sessions')) !== null)
      .flatMap((place) => listSessions({ ...cli, cwd: place }).map((row) => ({ place, row })));
  const elsewhere = found(new Set(seen.filter((place) => !here.has(place))));
  const now = { ms: world.clock.now(), offset: 0 };
  return [...found(here), ...elsewhere.sort((a, b) => a.row.age_s - b.row.age_s)].map(({ place, row }) => ({
    workspace: place,
    session: row.session_id,
    status: rowWords(row),
    progress: row.progress,
    goal: row.goal ?? '',
    ago: formatAgo(new Date(now.ms - row.age_s * 1_000).toISOString(), now),
    pid: row.host?.alive ? row.host.pid : null,
    shown: sessionPaths(place, row.session_id).directory === shown,
  }));
};

/** The agents for the start screen. A wrong configuration lists what remains of it. */
export const offeredAgents = (cli: Cli, world: World, workspace: string): readonly AgentOffer[] => {
  const { layers } = findLayers(cli, world, { workspace, attended: true });
  const { settings } = resolveSettings(layers);
  return agentOffers(findAgents(world, cli.env['PATH'], workspace, settings), settings);
};
