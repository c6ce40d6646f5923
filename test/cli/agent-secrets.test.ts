import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSecrets } from '../../src/cli/secrets.ts';
import { findLayers } from '../../src/cli/settings/load-settings.ts';
import { createWorld } from '../../src/cli/world.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const secret = ['ag3nt', 'pr1vate', 'value'].join('-');

test('values that a configuration gives to an agent under the name of a secret are known from its first reading on', () => {
  const env = `{MINE_API_KEY: ${secret}, MINE_TOKEN: short, MINE_REGION: eu-central-1}`;
  const workspace = workspaceWith({
    '.ralph/config.yaml': `agents: {mine: {type: acp, command: [mine], env: ${env}}}\n`,
  });
  const world = createWorld();
  const learnt: string[] = [];
  const cli = createTestCli({
    env: { XDG_CONFIG_HOME: join(workspace, 'none') },
    learn: (more) => learnt.push(...more),
  });
  expect(world.redact(secret)).toBe(secret);
  findLayers(cli, world, { workspace, attended: false });
  expect(world.redact(`it is ${secret} in eu-central-1, short`)).toBe(
    'it is [redacted] in eu-central-1, short',
  );
  expect({ ...world }.secrets).toContain(secret);
  expect(learnt).toEqual([secret]);
});

test('what is learnt later is removed by the function that was handed out before', () => {
  const { redact, learn, values } = createSecrets(['first-secret']);
  expect(redact('first-secret second-secret')).toBe('[redacted] second-secret');
  learn(['second-secret', 'first-secret']);
  expect(redact('first-secret second-secret')).toBe('[redacted] [redacted]');
  expect(values()).toEqual(['first-secret', 'second-secret']);
});
