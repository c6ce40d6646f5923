import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, readSources, root } from '../helpers/source-tree.ts';

/** The pages of the repository: Markdown that people read, without fixtures and samples. */
const pages = [
  'README.md',
  'CHANGELOG.md',
  ...filesBelow(['.github', 'src', 'components', 'test'], /(?:^\.github\/.*|\/README)\.md$/),
].filter((path) => !path.startsWith('test/fixtures/'));

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** What a comment may cite in a page: headings, bold words, the first cell of a row, and the numbers of lists and rows. */
const placesOf = (path: string): readonly string[] =>
  [
    ...textOf(path).matchAll(/^#+ (.+)$|\*\*(.+?)\*\*|^\| ([^|]+?) \||^[*-] `?([^`:(\n]+)|^(\d+)\. /gm),
  ].flatMap((match) => match.slice(1).flatMap((place) => (place === undefined ? [] : [plain(place)])));

const plain = (text: string): string => text.replace(/[`"*]/g, '').trim().toLowerCase();

const citation =
  /((?:src|components|test)\/(?:[\w-]+\/)*README\.md|(?<![\w/.-])README\.md)`?(?:, ([^);.]*))?/g;

/** The comments and strings that cite a page, with the place after the comma. */
const citations = [...readSources(), ...testSources()].flatMap(({ path, text }) =>
  [...text.replace(/\n\s*\*? ?/g, ' ').matchAll(citation)].map(([, page = '', place = '']) => ({
    path,
    page,
    place,
  })),
);

function testSources(): readonly { readonly path: string; readonly text: string }[] {
  return filesBelow(['test'], /\.tsx?$/)
    .filter((path) => !path.startsWith('test/repository/'))
    .map((path) => ({ path, text: textOf(path) }));
}

test('comments cite only pages and headings of this repository', () => {
  const wrong = citations.flatMap(({ path, page, place }) => {
    if (!existsSync(join(root, page))) return [`${path}: no page ${page}`];
    if (place === '') return [];
    const places = placesOf(page);
    const isThere = (words: string): boolean => {
      const each = plain(words.replace(/^(?:rules?|steps?|invariants?) /, ''));
      return places.some((there) => there.startsWith(each) || each.startsWith(there));
    };
    return isThere(place) || place.split(/ and | to /).every(isThere)
      ? []
      : [`${path}: ${page} has no “${place}”`];
  });
  expect(citations.length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

test('comments cite no paper that is outside the repository', () => {
  const outside =
    /(?<![\w/.-])(?:architecture|signals|session-format|plan-and-config|engine|agents|discovery|workflow|quality|look|toolchain|product|writing|skills-and-records|page|runners)\.md\b/g;
  const wrong = [...readSources(), ...testSources()].flatMap(({ path, text }) =>
    [...text.matchAll(outside)].map(([name]) => `${path}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('links and paths in the pages lead somewhere', () => {
  const wrong = pages.flatMap((page) => {
    const here = dirname(page);
    const links = [...textOf(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)/g)].map(
      ([, path = '']) => path,
    );
    const paths = [...textOf(page).matchAll(/`((?:[\w.-]+\/)+[\w.-]*\.(?:tsx?|md|json|jsonl|yaml))`/g)].map(
      ([, path = '']) => path,
    );
    const roots = [here, '', 'src', join('src', here)];
    return [
      ...links.filter((path) => !existsSync(join(root, normalize(join(here, path))))),
      ...paths.filter(
        (path) =>
          /^(?:\.\.\/|src\/|test\/|components\/|hooks\/)/.test(path) &&
          !roots.some((from) => existsSync(join(root, from, path))),
      ),
    ].map((path) => `${page}: ${path}`);
  });
  expect(pages.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});
