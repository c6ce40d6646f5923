import { expect, test } from 'vitest';
import { checkAgents } from '../../src/cli/host/check-agents.ts';
import { createWorld } from '../../src/cli/world.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const check = (output: string, limit: 'max_cost' | 'max_tokens'): void =>
  checkAgents(createTestCli({ cwd: '/', env: { PATH: '/bin:/usr/bin' } }), createWorld(), tempDir(), {
    agents: { own: { type: 'command', command: ['cat'], output } },
    roles: { executor: 'own' },
    on: {},
    limits: { ...defaultSettings.limits, [limit]: 5 },
  });

test.each([
  ['text', 'max_cost', 'cost'],
  ['text', 'max_tokens', 'tokens'],
  ['codex', 'max_cost', 'cost'],
] as const)(
  'a program that prints %s is refused with %s, which it does not report',
  (output, limit, what) => {
    expect(() => check(output, limit)).toThrow(
      `limits.${limit} cannot be applied to cat: it does not report its ${what}`,
    );
  },
);

test.each([
  ['claude', 'max_cost'],
  ['claude', 'max_tokens'],
  ['codex', 'max_tokens'],
] as const)(
  'a program that prints the stream of %s runs with %s, which the stream states',
  (output, limit) => {
    expect(() => check(output, limit)).not.toThrow();
  },
);
