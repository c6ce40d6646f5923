import { expect, test } from 'vitest';
import { startDiscovery } from '../../src/cli/discovery/start-discovery.ts';
import { createWorld } from '../../src/cli/world.ts';
import { finding } from '../helpers/findings.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';

test('what the wizard has just found is not looked for again, and critical findings are still asked about', async () => {
  const [home, workspace] = [tempDir(), tempDir()];
  const told: string[] = [];
  const critical = finding({ id: 'hardcoded_path-1', severity: 'critical' });
  const cli = createTestCli({ env: { HOME: home, PATH: '/usr/bin:/bin' } });
  const tell = (sentence: string): void => void told.push(sentence);
  const found = [critical, finding({ id: 'other-1', severity: 'low' })];
  const running = startDiscovery(cli, createWorld(), workspace, tell, found);
  expect(await running?.critical).toEqual([critical]);
  expect(await running?.found).toEqual(
    new Map([
      ['critical', 1],
      ['low', 1],
    ]),
  );
  await running?.done;
  expect(told).toEqual([]);
});
