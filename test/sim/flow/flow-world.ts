import type { Clock } from '../../../src/base/clock.ts';
import type { EngineOptions } from '../../../src/engine/engine.ts';
import { readOwnComments, rememberComment } from '../../../src/issues/documents/own-comments.ts';
import { createNativeTracker } from '../../../src/issues/trackers/native.ts';
import type { FlowStart } from '../../../src/pipeline/modes/flow/flow-state.ts';
import type { SessionState } from '../../../src/pipeline/state.ts';
import { defaultSettings, type Settings } from '../../../src/session/settings.ts';
import type { SessionOptions } from '../../helpers/engine-session.ts';
import type { ManualClock } from '../../helpers/manual-clock.ts';
import { createSeededRandom, type SeededRandom } from '../../helpers/seeded-random.ts';
import type { SimulatedDisk } from '../../helpers/simulated-disk.ts';
import { anyGroup, stranger } from './any-group.ts';
import { type Act, createLedger, issueFile, type Ledger } from './ledger.ts';
import { meddle } from './person.ts';
import { createPullRequests, type Forge, moveForge } from './pull-requests.ts';
import { createStreamChanges, createTrunk } from './trunk.ts';
import { createTwin } from './twin.ts';
import { createWatchedTracker } from './watched-tracker.ts';

/** The place around the session of a flow: its issues, the person's branch, pull requests, and what the engine does there. */
export interface FlowWorld {
  readonly ledger: Ledger;
  readonly holder: FlowStart['holder'];
  /** Whether the tracker was down, or the person's branch in the way, at that moment or later (ms). */
  readonly wasDown: (since: number) => boolean;
  /** A person does something to an issue; returns what. */
  meddle(random: SeededRandom): string | null;
  /** Another session in the workspace, which somebody started beside this one, takes a step; returns what. */
  twin(random: SeededRandom): string | null;
  /** The tracker answers nothing for a while, or the person's branch cannot be merged into. */
  disturb(what: 'outage' | 'dirty', random: SeededRandom): void;
  /** Time passes. `calm`: what is broken is whole again, and a person sees to what waits. */
  look(random: SeededRandom, calm: boolean): void;
}

export interface FlowPlaceOptions {
  readonly random: SeededRandom;
  readonly fill: FlowStart['fill'];
  readonly phases: NonNullable<FlowStart['phases']>;
  readonly session: string;
  /** At most so many issues. */
  readonly most: number | null;
  readonly clock: ManualClock;
  readonly disk: SimulatedDisk;
  readonly hear: (act: Act) => void;
  readonly now: () => SessionState | null;
}

/** What a simulated session needs to be a flow. */
export const createFlowWorld = (
  options: FlowPlaceOptions,
): {
  readonly world: FlowWorld;
  readonly parts: Required<Pick<SessionOptions, 'flow' | 'changes'>>;
  readonly settings: Partial<Settings>;
} => {
  const { random, fill, session, clock, disk } = options;
  disk.mkdir('/work/.ralph/issues');
  disk.mkdir('/state');
  for (const [id, text] of anyGroup(random, options.most)) disk.put(issueFile(id), text);
  const ledger = createLedger(disk);
  ledger.noteAll();
  const trunk = createTrunk();
  const forge: Forge = new Map();
  const holder = { machine: 'here', workspace: '/work', session };
  let downUntil = 0;
  let dirtyUntil = 0;
  let lastDown = Number.NEGATIVE_INFINITY;
  const isDown = (): boolean => clock.now() < downUntil;
  const isOnline = random.chance(0.3);
  const liveness = random.pick(['dead', 'dead', 'alive', 'remote'] as const);
  const start: FlowStart = {
    issue: '1',
    only: random.chance(0.1),
    tracker: 'native',
    review: random.pick(['human', 'human', 'auto', 'auto', 'skip']),
    auto_merge: random.chance(0.7),
    fill,
    phases: options.phases,
    ...(isOnline ? { draft: random.chance(0.5) } : {}),
    holder,
  };
  const twin = createTwin(disk, ledger);
  const heard =
    (isHeard: () => boolean) =>
    (act: Act): void => {
      if (isHeard()) options.hear(act);
      else if (act.kind === 'write') ledger.touched.add(act.issue);
    };
  /** Choices of one life of the program. */
  const ownRandom = (now: Clock): SeededRandom => createSeededRandom(now.now() + random.int(1_000));
  const changes = (now: Clock, on: SimulatedDisk, isHeard: () => boolean): EngineOptions['changes'] =>
    createStreamChanges({ trunk, disk: on, clock: now, random: ownRandom(now), hear: heard(isHeard) });
  const port: NonNullable<SessionOptions['flow']>['port'] = (now, on, isHeard) => {
    const ports = { disk: on, clock: now, random: ownRandom(now), workspace: '/work' };
    const shared = { clock: now, random: ownRandom(now), isDown, hear: heard(isHeard) };
    return {
      tracker: createWatchedTracker(createNativeTracker(ports), {
        ...{ ...shared, ledger, isTwin: twin.isAlive, session: options.now },
      }),
      liveness: (other) => {
        if (other.session === stranger) return liveness;
        return other.session === session || twin.isAlive(other.session) ? 'alive' : 'dead';
      },
      own: () => readOwnComments(ports, '/state/comments.jsonl', 'native'),
      remember: (comment) => rememberComment(ports, '/state/comments.jsonl', 'native', comment),
      pullRequests: isOnline ? createPullRequests({ ...shared, forge }) : null,
      instructions: () => ({ text: '# A phase\n', refused: null }),
      worker: (role) => ({
        definition: { name: `ralph-${role}`, kinds: ['read'], body: `# The ${role}` },
        refused: null,
      }),
    };
  };
  const world: FlowWorld = {
    ledger,
    holder,
    wasDown: (since) => lastDown >= since,
    meddle: (own) => meddle(own, disk, ledger),
    twin: twin.act,
    disturb: (what, own) => {
      const until = clock.now() + own.pick([1_000, 10_000, 60_000]);
      lastDown = Math.max(lastDown, until);
      if (what === 'outage') downUntil = until;
      else dirtyUntil = until;
    },
    look: (own, calm) => {
      if (calm) {
        downUntil = dirtyUntil = 0;
        twin.end();
      }
      trunk.isDirty = clock.now() < dirtyUntil;
      moveForge(forge, own, calm);
    },
  };
  return {
    world,
    parts: { flow: { start, port }, changes },
    settings: {
      isolation: 'worktree',
      flow: {
        ...defaultSettings.flow,
        poll: random.pick([1_000, 5_000, 20_000]),
        feedback_rounds: random.int(3),
        agents: random.chance(0.3) ? { pr: 'script' } : {},
      },
    },
  };
};
