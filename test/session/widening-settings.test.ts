import { expect, test } from 'vitest';
import { wideningSettings } from '../../src/session/settings/widening-settings.ts';
import { defaultSettings } from '../../src/session/settings.ts';

test('what every session has anyway widens nothing, but for a gate or a review that was taken away and a limit that was lifted', () => {
  expect(wideningSettings(defaultSettings)).toEqual([
    'gates: []',
    'review: "agent"',
    'limits.max_duration: null',
    'limits.max_cost: null',
    'limits.max_tokens: null',
    'limits.max_attempts_total: null',
  ]);
  expect(wideningSettings({})).toEqual([]);
});

test('how much at once, how long and how it looks is harmless', () => {
  expect(
    wideningSettings({
      concurrency: { max_parallel_executors: 8 },
      retries: { max_attempts: 9 },
      timeouts: { stall: 0 },
      knowledge: { approval_timeout: 0 },
      ui: { theme: 'dark', ascii: true, mouse: true, notify: 'none' },
      permissions: 'ask',
      commit: false,
      on_disconnect: 'abort',
      isolation: 'shared',
      review: 'person',
    }),
  ).toEqual([]);
});

test('what makes something run, or lets agents do more, is told with its value', () => {
  expect(
    wideningSettings({
      agents: { own: { type: 'command', command: ['./bin/agent'] } },
      roles: { executor: 'own' },
      permissions: 'all',
      commit: true,
      host: 'background',
      on_disconnect: 'background',
      knowledge: { docs_dir: 'docs' },
      ui: { keys: { 'steer.abort': 'j' }, notify: 'osc' },
    }),
  ).toEqual([
    'knowledge.docs_dir: "docs"',
    'permissions: "all"',
    'commit: true',
    'host: "background"',
    'on_disconnect: "background"',
    'agents: {"own":{"type":"command","command":["./bin/agent"]}}',
    'roles: {"executor":"own"}',
    'ui.keys: {"steer.abort":"j"}',
    'ui.notify: "osc"',
  ]);
});
