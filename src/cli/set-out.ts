import { join } from 'node:path';
import { readText } from '../base/replace-file.ts';
import { evolve } from '../pipeline/evolve.ts';
import { sessionPaths } from '../session/paths.ts';
import { createStore } from '../store/create-store.ts';
import { createEditor } from '../store/line-editor.ts';
import { formatAgo } from '../store/moment.ts';
import type { SessionChoice, Start, StartOverlay } from '../store/setting-out.ts';
import { type Cli, exitCodes } from './cli.ts';
import { prepareDemo } from './demo-workspace.ts';
import { discoverChecks } from './discover-plan.ts';
import { findOffers } from './find-offers.ts';
import { listSessions, statusWords } from './list-sessions.ts';
import type { Prepared } from './prepared.ts';
import { readPreferences } from './read-preferences.ts';
import { readSeen } from './seen-file.ts';
import type { Showing } from './showing.ts';
import { type PlanStart, preparePlan } from './start-plan.ts';
import { createViewerPort } from './viewer-port.ts';
import type { World } from './world.ts';

/** The start screen over what is shown. */
export const startOverlay = (world: World, workspace: string): StartOverlay => ({
  kind: 'start',
  offers: findOffers(world, workspace),
  // Behind the goal, which needs an agent with a model.
  cursor: 1,
  editor: createEditor(),
});

/** The screen of a workspace without sessions: the start screen over empty panes. */
export const showStart = (cli: Cli, world: World, workspace: string): Showing => {
  const store = createStore({
    clock: world.clock,
    evolve,
    connection: 'stopped',
    canLeaveRunning: true,
    preferences: readPreferences(cli, world, workspace, null),
  });
  store.act({ type: 'overlay-opened', overlay: startOverlay(world, workspace) });
  return {
    paths: null,
    store,
    port: {
      viewer: createViewerPort(world, sessionPaths(workspace, '000000-000000')),
      preview: async () => null,
      perform: async () => 'there is no session yet',
    },
    hosted: false,
    flags: {},
    quit: async () => {},
    close: async () => ({ exitCode: exitCodes.done, text: '' }),
  };
};

/** What it takes to start what was chosen on the start screen. */
export const prepareStart = (cli: Cli, world: World, workspace: string, start: Start): Prepared =>
  preparePlan(cli, world, planOf(world, workspace, start));

const planOf = (world: World, workspace: string, start: Start): PlanStart => {
  switch (start.what) {
    case 'demo': {
      const demo = prepareDemo();
      return {
        workspace: demo.workspace,
        file: 'plan.yaml',
        text: demo.plan,
        source: 'demo',
        mode: 'screen',
      };
    }
    case 'plan': {
      const text = readText(world.disk, join(workspace, start.file)) ?? '';
      return { workspace, file: start.file, text, source: 'plan', mode: 'screen' };
    }
    case 'checks':
      return { workspace, ...discoverChecks(world.disk, workspace), mode: 'screen' };
  }
};

/** Sessions of the given workspaces, newest first; then of the others that a screen of this person has shown, those that moved last first, wherever they lie. */
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
    status: statusWords(row),
    progress: row.progress,
    goal: row.goal ?? '',
    ago: formatAgo(new Date(now.ms - row.age_s * 1_000).toISOString(), now),
    pid: row.host?.alive ? row.host.pid : null,
    shown: sessionPaths(place, row.session_id).directory === shown,
  }));
};
