import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { trackerNames } from '../../src/issues/trackers/tracker-name.ts';
import { flowSettings } from '../../src/session/settings/flow.ts';
import { signalTypeSchema } from '../../src/signals/signal.ts';
import { blocksIn, pageBlocks, regenerate } from '../helpers/page-blocks.ts';
import { filesBelow, readSources, root } from '../helpers/source-tree.ts';

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The pages with tables that are made from the code. */
const generated = ['README.md', ...filesBelow(['.github', 'src', 'components', 'test'], /\.md$/)].filter(
  (path) => blocksIn(textOf(path)).length > 0,
);

describe('the tables of the pages are those of the code', () => {
  test.for(generated)('%s', async (page) => {
    await expect(await regenerate(textOf(page)), howToRegenerate).toMatchFileSnapshot(join(root, page));
  });

  test('each table stands in exactly one page', async () => {
    const placed = generated.flatMap((page) => blocksIn(textOf(page)));
    expect(placed.sort()).toEqual(Object.keys(await pageBlocks()).sort());
  });
});

const howToRegenerate =
  'made from the code; `npx vitest run test/repository/readme.test.ts -u` writes it again';

test('the README stays within 250 lines', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(250);
});

test.each([
  ['src/signals/README.md', '## Types', signalTypeSchema.options],
  ['README.md', 'The types are', signalTypeSchema.options],
  ['src/issues/README.md', '## Trackers', trackerNames],
])('%s names all under “%s”', (page, heading, names) => {
  const text = textOf(page);
  const from = text.indexOf(heading);
  const end = text.indexOf(heading.startsWith('#') ? '\n## ' : '\n', from + 1);
  const part = text.slice(from, end);
  const missing = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(part));
  expect(missing, `add them to ${page}, ${heading}`).toEqual([]);
});

test('the sentence of the setting flow.tracker names all trackers', () => {
  const { sentence = '' } = flowSettings.find(({ key }) => key === 'flow.tracker') ?? {};
  const missing = trackerNames.filter((name) => !new RegExp(`\\b${name}\\b`).test(sentence));
  expect(missing, 'name them in src/session/settings/flow.ts; the page follows').toEqual([]);
});

test('the architecture page prints all eleven invariants, each with the test that guards it', () => {
  const page = textOf('src/README.md');
  const from = page.indexOf('## Invariants');
  const rows = page
    .slice(from, page.indexOf('\n## ', from + 1))
    .split('\n')
    .filter((line) => /^\| \d+ +\|/.test(line));
  expect(rows.map((row) => Number(row.split('|')[1]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  const guards = rows.map((row) => /`(test\/[^`]+)`/.exec(row)?.[1] ?? 'none');
  for (const guard of guards) expect(() => textOf(guard)).not.toThrow();
});

test('every file and folder of the program that the README names is there', () => {
  const paths = new Set(readSources().flatMap(({ path }) => [path, ...foldersOf(path)]));
  const named = [...textOf('README.md').matchAll(/`((?:src|components|hooks)\/[\w./-]+)`/g)]
    .map((match) => match[1]?.replace(/\/$/, '') ?? '')
    .filter((path) => !path.endsWith('.md'));
  expect(named.filter((path) => !paths.has(path))).toEqual([]);
});

const foldersOf = (path: string): readonly string[] => {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index).join('/'));
};
