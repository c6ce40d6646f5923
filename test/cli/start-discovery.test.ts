import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acceptCritical, criticalLine, startDiscovery } from '../../src/cli/discovery/start-discovery.ts';
import { createWorld } from '../../src/cli/world.ts';
import { acknowledgedFileName } from '../../src/session/guidance/acknowledged.ts';
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

describe('a scanner that gives no answer', () => {
  /** A git that never lists the files, in a directory outside the workspace. */
  const slowGit = (): string => {
    const bin = tempDir();
    writeFileSync(join(bin, 'git'), '#!/bin/sh\nexec /bin/sleep 60\n', { mode: 0o755 });
    return bin;
  };

  const begin = (env: Readonly<Record<string, string>>, workspace: string) => {
    const cli = createTestCli({ env });
    return { cli, running: startDiscovery(cli, createWorld(), workspace, () => {}) };
  };

  test('is an open critical finding, at each start again, however often somebody started despite it', async () => {
    const [home, workspace] = [tempDir(), tempDir()];
    mkdirSync(join(home, 'ralph-tui'), { recursive: true });
    writeFileSync(join(home, 'ralph-tui/config.yaml'), 'discovery: {timeout: 300ms}\n');
    const env = { HOME: home, PATH: slowGit(), XDG_CONFIG_HOME: home, XDG_STATE_HOME: join(home, 'state') };
    for (const _start of [1, 2]) {
      const { cli, running } = begin(env, workspace);
      const critical = (await running?.critical) ?? [];
      expect(critical.map(criticalLine)).toEqual([
        'The scan is incomplete: the scanner did not finish within 0.3 s',
      ]);
      await running?.done;
      acceptCritical(cli, createWorld(), workspace, critical);
    }
    expect(readFileSync(join(workspace, acknowledgedFileName), 'utf8')).toContain('"despite":true');
  });

  test('because it could not even begin is one, too', async () => {
    const gone = join(tempDir(), 'gone');
    const { running } = begin({ HOME: tempDir(), PATH: '/usr/bin:/bin' }, gone);
    expect((await running?.critical)?.map(criticalLine)).toEqual([
      expect.stringMatching(/^The scan is incomplete: the scanner could not run: .* does not exist/),
    ]);
  });
});
