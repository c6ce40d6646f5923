import type { Event } from '../../../src/pipeline/event.ts';
import { defaultSettings, type Settings } from '../../../src/session/settings.ts';
import { paneKeys } from '../pane-key.ts';
import { createStory, diamond, type Story, twoSideBySide } from '../story.ts';
import { steer } from './looking.ts';
import type { Scene } from './scene.ts';

const asked = {
  type: 'permission.asked',
  request: 'p1',
  agent: 'script',
  kind: 'command',
  title: 'npm test',
  command: 'npm test',
  directory: '/work/greetings',
  paths: [],
  diffs: [],
} as const;

/** Two executors side by side, a failed attempt, a hold, a signal and a second attempt that runs. */
export const busy = (): Story =>
  createStory()
    .begin()
    .tasks(diamond)
    .wave(1, ['init', 'schema'])
    .starts('init')
    .starts('schema')
    .command('init', 'npm ci')
    .wait(40_000)
    .commandEnds('init')
    .qualifies('init')
    .wait(15_000)
    .qualifies('schema')
    .state('BATCHING')
    .wave(2, ['english', 'vietnamese', 'docs'])
    .starts('english')
    .starts('vietnamese')
    .wait(50_000)
    .pending('aaa1', steer)
    .add({ type: 'hold.requested', signal: null, by: 'kim' })
    .add({ type: 'invocation.paused', invocation: 'Executor-7', continuation: null })
    .add({ type: 'hold.begun', processes: 0 })
    .wait(29_000)
    .add({ type: 'hold.ended', signal: null, by: 'kim' })
    .add({ type: 'invocation.resumed', invocation: 'Executor-7', messages: [] })
    .wait(20_000)
    .fails('english', 'a test failed')
    .starts('english', 2)
    .command('english', 'npm test')
    .wait(20_000)
    .prints('english', 'ok 1\n'.repeat(4))
    .add({ ...asked, invocation: 'Executor-9' })
    .wait(68_000)
    .add({
      type: 'permission.answered',
      invocation: 'Executor-9',
      request: 'p1',
      decision: 'once',
      by: 'kim',
    })
    .wait(12_000)
    .prints('english', 'ok 2\n'.repeat(90))
    .prints('vietnamese', 'reading\n'.repeat(30))
    .add({
      type: 'agent.usage-reported',
      invocation: 'Executor-7',
      used: 48_200,
      size: 200_000,
      cost: { amount: 0.42, currency: 'USD' },
    })
    .wait(4_000);

/** The same on two machines: what follows the first wave runs on `gpu`, which is not reached just now. */
const onRunner = (): Story => {
  const story = busy()
    .add({
      type: 'runner.reached',
      runner: 'gpu',
      program: 'ralph-tui 0.1.0',
      node: 'v24.0.0',
      cores: 8,
      free_bytes: 12.5 * 1_073_741_824,
      clock_difference_ms: -4_000,
      round_trip_ms: 63,
      agents: ['codex-acp'],
    })
    .add({
      type: 'runner.lost',
      runner: 'gpu',
      why: 'the connection ended',
      stops_at: '2026-02-15T10:30:00+07:00',
    });
  const isThere = (event: Event): boolean =>
    event.type === 'invocation.started' && (event.task === 'english' || event.task === 'vietnamese');
  const events = story.events.map((event) => (isThere(event) ? { ...event, runner: 'gpu' } : event));
  return { ...story, events };
};

/** The same with the second agent behind a fence, and one runner that nothing has needed yet. */
const onMachineAndFence = (): Story => {
  const story = onRunner();
  const runners: Settings['runners'] = {
    gpu: { ssh: 'gpu1', slots: 2 },
    jail: { sandbox: 'bwrap', slots: 1, network: 'model', hosts: [], tools: [] },
    spare: { container: 'podman', image: 'my/node', slots: 4, memory: '4g', pids: 512, network: 'on' },
  };
  const events = story.events.map((event) =>
    event.type === 'session.created' || event.type === 'session.started'
      ? { ...event, settings: { ...defaultSettings, permissions: 'workspace', runners } }
      : event.type === 'invocation.started' && event.task === 'vietnamese'
        ? { ...event, runner: 'jail' }
        : event,
  );
  return { ...story, events };
};

/** The timeline with the agents at work. */
export const timingScenes: readonly Scene[] = [
  { name: 'timeline', story: busy, act: (screen) => screen.press(...paneKeys('timeline')) },
  {
    name: 'timeline-chosen',
    story: busy,
    act: (screen) => screen.press(...paneKeys('timeline'), 'k', 'h', 'h'),
  },
  {
    name: 'timeline-closer',
    story: busy,
    act: (screen) => screen.press(...paneKeys('timeline'), ')'),
  },
  {
    name: 'runners',
    story: onMachineAndFence,
    act: async (screen) => {
      await screen.press(':', ...'runners', '\r');
    },
  },
  { name: 'timeline-runners', story: onRunner, act: (screen) => screen.press(...paneKeys('timeline')) },
  {
    name: 'timeline-ascii',
    story: twoSideBySide,
    options: { theme: { ascii: true } },
    act: (screen) => screen.press(...paneKeys('timeline')),
  },
];
