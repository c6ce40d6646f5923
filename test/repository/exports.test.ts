import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, resolveImport, root } from '../helpers/source-tree.ts';

interface Import {
  readonly target: string;
  /** The names as words; `null` for a whole module. */
  readonly names: readonly string[] | null;
}

const importsOf = (path: string, text: string): readonly Import[] => {
  const found: Import[] = [];
  const add = (names: string | undefined, specifier = ''): void => {
    const target = resolveImport(path, specifier);
    if (target === null) return;
    const isWhole = names === undefined || names.includes('* as');
    found.push({ target, names: isWhole ? null : (names.match(/\w+/g) ?? []) });
  };
  for (const [, names, specifier] of text.matchAll(/^(?:import|export)\s+([^;'"]*?)\s*from\s+'([^']+)'/gm))
    add(names, specifier);
  for (const [, names, specifier, member] of text.matchAll(
    /(?:const\s+(\{[^}]*\})\s*=\s*await\s+)?import\(\s*'([^']+)'\s*\)(?:\)(\.\w+))?/g,
  ))
    add(names ?? member, specifier);
  return found;
};

const textsBelow = (folders: readonly string[]) =>
  filesBelow(folders, /\.tsx?$/).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** What the build puts in the place of a package's own: `standIn('frameWriter', './src/…')`. */
const standIns = (): readonly Import[] =>
  [...readFileSync(join(root, '.rolldown.config.ts'), 'utf8').matchAll(/'(\w+)', '\.\/(src\/[^']+)'/g)].map(
    ([, name = '', target = '']) => ({ target, names: [name] }),
  );

test('every exported function and constant has a reader in another file', () => {
  const sources = textsBelow(['src', 'components', 'hooks']);
  const tests = textsBelow(['test']);
  const read = new Map<string, Set<string>>();
  const whole = new Set<string>();
  const imports = [...sources, ...tests].flatMap(({ path, text }) => importsOf(path, text));
  for (const { target, names } of [...imports, ...standIns()])
    if (names === null) whole.add(target);
    else read.set(target, new Set([...(read.get(target) ?? []), ...names]));
  const unread = sources
    .filter(({ path }) => !whole.has(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)]
        .map(([, name = '']) => name)
        .filter((name) => !read.get(path)?.has(name))
        .map((name) => `${path}: ${name}`),
    );
  expect(unread).toEqual([]);
});
