import { filesBelow, readSource, readSources, resolveImport } from '../helpers/source-tree.ts';

/** How many imports lie between a source and each test file that reaches it: `nearTests()(source)`. The files of `test/e2e` start the built program. */
export const nearTests = (): ((source: string) => ReadonlyMap<string, number>) => {
  const tests = filesBelow(['test'], /\.tsx?$/).filter((path) => !path.startsWith('test/e2e/'));
  const importers = new Map<string, string[]>();
  for (const { path, imports } of [...readSources(), ...tests.map(readSource)])
    for (const { specifier } of imports) {
      const target = resolveImport(path, specifier);
      if (target !== null) importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  return (source) => {
    const distances = new Map([[source, 0]]);
    for (const [path, distance] of distances)
      for (const importer of importers.get(path) ?? [])
        if (!distances.has(importer)) distances.set(importer, distance + 1);
    return new Map([...distances].filter(([path]) => /\.test\.tsx?$/.test(path)));
  };
};
