import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Entry = { readonly version?: string; readonly optionalDependencies?: Readonly<Record<string, string>> };

const lock: { readonly packages: Readonly<Record<string, Entry>> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);

/** The places npm looks for `name` from the package at `path`, nearest first. */
function places(path: string, name: string): readonly string[] {
  const own = `${path}${path === '' ? '' : '/'}node_modules/${name}`;
  if (path === '') return [own];
  const above = path.lastIndexOf('/node_modules/');
  return [own, ...places(above < 0 ? '' : path.slice(0, above), name)];
}

// `npm ci` refuses a lock without them, and `npm install` leaves them out when the registry of the day does not serve a platform.
test('the lock names the binaries of every platform, so that `npm ci` works in a fresh clone', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name, wanted]) => {
        const found = places(path, name).find((place) => lock.packages[place] !== undefined);
        const version = found === undefined ? undefined : lock.packages[found]?.version;
        return version === undefined || (/^\d/.test(wanted) && version !== wanted);
      })
      .map(([name, wanted]) => `${name}@${wanted}`),
  );
  expect(missing).toEqual([]);
});
