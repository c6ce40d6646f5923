import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow } from '../helpers/source-tree.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { pack } from '../smoke/package.ts';
import { install, makePlace, runIn } from '../smoke/place.ts';
import { demoTries, mcpTry, quickTries, tryIn } from '../smoke/tries.ts';

const root = join(import.meta.dirname, '../..');

/** What Claude Code and Gemini CLI read. */
const plugins = ['.claude-plugin', 'gemini-extension.json'].flatMap((path) =>
  lstatSync(join(root, path)).isFile() ? [path] : filesBelow([path], /\.(?:json|md)$/),
);

test('each picture and file that the README of the package points to, and each plugin, is in the package', () => {
  const files = new Set(pack(null, 'as-built').files);
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const named = [...readme.matchAll(/(?:\]\(|src="|srcset="|href=")([^)"\s#]+)/g)].map(
    ([, link = '']) => link,
  );
  const local = named
    .filter((link) => !/^https?:/.test(link))
    .map((link) => normalize(join(dirname('README.md'), link)));
  expect(local.length).toBeGreaterThan(5);
  expect(plugins.length).toBeGreaterThan(4);
  expect([...local, ...plugins].filter((link) => !files.has(link))).toEqual([]);
});

// `npm run smoke` tries more machines and all samples.
test.runIf(isLongForm)('the package installs without network, and its first commands work', async () => {
  const folder = tempDir();
  const place = makePlace({ folder, node: dirname(process.execPath), programs: process.env['PATH'] ?? '' });
  const { file } = pack(folder, 'as-built');
  expect(await install(place, file)).toMatchObject({ code: 0 });
  expect(await runIn(place, ['ralph-sessions', '--version'])).toMatchObject({ code: 0 });
  for (const one of [...quickTries, ...demoTries.slice(0, 1), mcpTry])
    expect([one.name, await tryIn(place, one)]).toEqual([one.name, null]);
});
