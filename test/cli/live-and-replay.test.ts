import { expect, test } from 'vitest';
import { createStore, type Store } from '../../components/create-store.ts';
import { newSessionPaths, wireEngine } from '../../src/cli/host/wire.ts';
import { withOutput } from '../../src/cli/session/journal-feed.ts';
import { readJournalOf } from '../../src/cli/session/open-session.ts';
import { createWorld } from '../../src/cli/world.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { diamondPlan, workspaceWith } from '../helpers/workspace.ts';

/** A real session from its first event to its end, and what observers were told. */
const runDiamond = async () => {
  const world = createWorld();
  const settings = {
    ...defaultSettings,
    knowledge: { ...defaultSettings.knowledge, gate: 'always' as const, approval_timeout: 0 },
  };
  const paths = newSessionPaths({ env: { XDG_STATE_HOME: tempDir() } }, world, workspaceWith({}));
  const engine = wireEngine(createTestCli({ env: process.env }), world, {
    paths,
    begin: { kind: 'new', goal: 'Build the diamond', source: 'plan', settings },
    settings,
    attended: false,
    planSource: diamondPlan,
    config: null,
    agentFiles: [],
    flags: {},
  });
  const live = createStore({ clock: world.clock, evolve, connection: 'live' });
  const told: { readonly event: Event; readonly state: SessionState; readonly own: SessionState }[] = [];
  engine.subscribe((event, state) => {
    live.dispatch(event);
    told.push({ event, state, own: engine.state() });
  });
  expect(await engine.start()).toBeNull();
  await engine.settled();
  return { world, paths, live, told };
};

/** Every attempt's output pane as it would be drawn. */
const outputOf = (store: Store): ReadonlyMap<string, unknown> =>
  new Map([...store.getState().output.logs].map(([key, log]) => [key, log.lines]));

test('a replayed journal gives the same state and the same output as the live run', async () => {
  const { world, paths, live } = await runDiamond();
  const session = readJournalOf(world, paths);
  const replayed = createStore({ clock: world.clock, evolve, connection: 'replay' });
  replayed.load(withOutput(world, paths, session.events));
  expect(replayed.getState().session).toEqual(live.getState().session);
  expect(outputOf(replayed)).toEqual(outputOf(live));
  expect(JSON.stringify([...outputOf(live)])).toContain('"text":"top"');
});

test('the state is committed before observers are told of an event', async () => {
  const { told } = await runDiamond();
  let folded: SessionState | null = null;
  for (const { event, state, own } of told) {
    if (event.type === 'output.written') continue;
    folded = evolve(folded, event);
    expect(own).toBe(state);
    expect(state).toEqual(folded);
  }
});
