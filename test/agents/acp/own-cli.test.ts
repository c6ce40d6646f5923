import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withOwnCli } from '../../../src/agents/backends/acp/environment/own-cli.ts';
import { codex } from '../../../src/agents/profiles/codex.ts';
import { gemini } from '../../../src/agents/profiles/gemini.ts';
import { createDisk } from '../../../src/base/disk.io.ts';
import { pathWith } from '../../helpers/workspace.ts';

const disk = createDisk();

test("an adapter uses the vendor's program on the PATH, unless the user named one", () => {
  const bin = pathWith('codex', 'gemini');
  const cliOf = (env: Readonly<Record<string, string>>, own: Readonly<Record<string, string>> = {}) =>
    withOwnCli({ ...codex, env: own }, { env, disk }, '/work').env['CODEX_PATH'];
  expect(cliOf({ PATH: `/nowhere:${bin}` })).toBe(join(bin, 'codex'));
  expect(cliOf({ PATH: '/nowhere' })).toBeUndefined();
  expect(cliOf({ PATH: bin, CODEX_PATH: '/opt/codex' })).toBeUndefined();
  expect(cliOf({ PATH: bin }, { CODEX_PATH: '/opt/mine' })).toBe('/opt/mine');
  expect(withOwnCli(gemini, { env: { PATH: bin }, disk }, '/work')).toBe(gemini);
});
