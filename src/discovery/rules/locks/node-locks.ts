import { isRecord, objectFromJson } from '../../../base/json.ts';
import type { LockKind } from './lock-kind.ts';

/** Lock files of Node package managers. */
export const nodeLocks: readonly LockKind[] = [
  {
    lock: 'package-lock.json',
    manifest: 'package.json',
    ecosystem: 'node',
    refresh: 'npm install',
    missing: (lock, manifest, member) => npmMissing(lock, manifest, member),
    members: (lock) => npmMembers(lock),
  },
  {
    lock: 'npm-shrinkwrap.json',
    manifest: 'package.json',
    ecosystem: 'node',
    refresh: 'npm install',
    missing: (lock, manifest, member) => npmMissing(lock, manifest, member),
    members: (lock) => npmMembers(lock),
  },
  {
    lock: 'yarn.lock',
    manifest: 'package.json',
    ecosystem: 'node',
    refresh: 'yarn install',
    missing: (lock, manifest) => yarnMissing(lock, manifest),
  },
  {
    lock: 'pnpm-lock.yaml',
    manifest: 'package.json',
    ecosystem: 'node',
    refresh: 'pnpm install',
    missing: (lock, manifest) => pnpmMissing(lock, manifest),
  },
  { lock: 'bun.lock', manifest: 'package.json', ecosystem: 'node', refresh: 'bun install' },
  { lock: 'bun.lockb', manifest: 'package.json', ecosystem: 'node', refresh: 'bun install' },
];

const groups = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** Names and ranges of a manifest. */
const wanted = (manifest: string): readonly (readonly [string, string])[] => {
  const value = objectFromJson(manifest);
  return groups.flatMap((group) => {
    const packages = value[group];
    return isRecord(packages)
      ? Object.entries(packages).map(([name, range]) => [name, String(range)] as const)
      : [];
  });
};

const shown = ([name, range]: readonly [string, string]): string => `${name} ${range}`;

/** Packages of the workspace itself: all that is in no node_modules. */
const npmMembers = (lock: string): readonly string[] => {
  const { packages } = objectFromJson(lock);
  return isRecord(packages)
    ? Object.keys(packages).filter((path) => path !== '' && !path.split('/').includes('node_modules'))
    : [];
};

const npmMissing = (lock: string, manifest: string, member: string): readonly string[] => {
  const value = objectFromJson(lock);
  const packages = value['packages'];
  if (!isRecord(packages)) {
    const locked = value['dependencies'];
    return isRecord(locked)
      ? wanted(manifest)
          .filter(([name]) => !Object.hasOwn(locked, name))
          .map(shown)
      : [];
  }
  const root = packages[member];
  if (!isRecord(root)) return [];
  const locked = new Map(wanted(JSON.stringify(root)));
  return wanted(manifest)
    .filter(([name, range]) => locked.get(name) !== range)
    .map(shown);
};

/** Ranges that name no registry version. */
const isLocal = (range: string): boolean =>
  /^(?:workspace|link|file|portal|patch|catalog|npm|git|http)/.test(range);

const yarnMissing = (lock: string, manifest: string): readonly string[] => {
  if (!/^# yarn lockfile|^__metadata:/m.test(lock)) return [];
  const keys = new Set(
    lock
      .split('\n')
      .filter((line) => /^["\w@]/.test(line) && line.trimEnd().endsWith(':'))
      .flatMap((line) => line.trim().slice(0, -1).replaceAll('"', '').split(/,\s*/)),
  );
  return wanted(manifest)
    .filter(([, range]) => !isLocal(range))
    .filter(([name, range]) => !keys.has(`${name}@${range}`) && !keys.has(`${name}@npm:${range}`))
    .map(shown);
};

const pnpmMissing = (lock: string, manifest: string): readonly string[] => {
  const specifiers = pnpmSpecifiers(lock);
  if (specifiers.size === 0) return [];
  return wanted(manifest)
    .filter(([, range]) => !range.startsWith('catalog:'))
    .filter(([name, range]) => specifiers.get(name) !== range)
    .map(shown);
};

/** The ranges that a `pnpm-lock.yaml` was made from. Reads them by the fixed indentation, because parsing a megabyte as YAML takes seconds. */
const pnpmSpecifiers = (lock: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  let top = '';
  let importer = '';
  let name = '';
  for (const line of lock.split('\n')) {
    const [, indent = '', key = '', value = ''] = /^( *)('[^']+'|[^\s:'#][^:]*): ?(.*)$/.exec(line) ?? [];
    if (key === '') continue;
    const plain = unquoted(key);
    if (indent.length === 0) top = plain;
    else if (top === 'specifiers' && indent.length === 2) found.set(plain, unquoted(value));
    else if (top !== 'importers') continue;
    else if (indent.length === 2) importer = plain;
    else if (indent.length === 6) name = plain;
    else if (indent.length === 8 && importer === '.' && plain === 'specifier')
      found.set(name, unquoted(value));
  }
  return found;
};

const unquoted = (text: string): string => text.trim().replace(/^(['"])(.*)\1$/, '$2');
