import { expect, test } from 'vitest';
import { rules } from '../../src/discovery/rules/index.ts';
import { fileRole } from '../../src/discovery/scanner/file-role.ts';
import { defaultStructure } from '../../src/session/settings/discovery.ts';
import { processorTime } from '../helpers/processor-time.ts';

const context = { home: '/home/carol', structure: defaultStructure };
const megabyte = 1_048_576;

/** Manifests and locks that are read for each other's sake, with a text that makes the other one matter. */
const pairs = [
  ['package.json', '{"dependencies": {"a": "1"}}', 'yarn.lock', '# yarn lockfile v1\na@1:\n'],
  ['package.json', '{"dependencies": {"a": "1"}}', 'pnpm-lock.yaml', 'importers:\n  .:\n'],
  ['Cargo.toml', '[dependencies]\na = "1"\n', 'Cargo.lock', 'name = "b"\n'],
  ['go.mod', 'require a.b/c v1.0.0\n', 'go.sum', 'a.b/d v1.0.0 h1:x\n'],
  ['pyproject.toml', '[project]\ndependencies = ["a"]\n', 'uv.lock', 'name = "b"\n'],
] as const;

/** Everything that a rule looks at when this text is a source file, a memory file, a manifest or a lock. */
const runAll = (text: string): void => {
  const source = { path: 'src/a.ts', role: fileRole('src/a.ts'), text };
  const treeOf = (files: Readonly<Record<string, string>>) => ({
    paths: Object.keys(files),
    isRepository: true,
    read: (path: string) => files[path] ?? null,
    hooksPath: null,
  });
  for (const rule of rules) {
    for (const _hit of rule.file?.(source, context) ?? []);
    const trees = [
      { 'AGENTS.md': text, '.claude/settings.json': text },
      ...(rule.name === 'stale_lock'
        ? pairs.flatMap(([manifest, asks, lock, holds]) => [
            { [manifest]: text, [lock]: holds },
            { [manifest]: asks, [lock]: `${holds}${text}` },
          ])
        : []),
    ];
    for (const files of trees) for (const _hit of rule.tree?.(treeOf(files), context) ?? []);
  }
};

/** What each expression begins with, or repeats: half a match, again and again. */
const halves = [
  ' ',
  '\n',
  'a.',
  '/home/',
  'C:\\Users\\',
  '/home/carol',
  '@a/b.c ',
  '<<<<<<< x\n=======\n',
  'do not a b ',
  'that ',
  '```\n',
  '"a@',
  '[[',
  '[project]\nx = [',
  'a.b/c => ',
];

test.each(halves)('very much of %j is read in time by every rule', (half) => {
  // Many lines cost as much as four times as long a line.
  const text = half.repeat(megabyte / (half.includes('\n') ? 4 : 1) / half.length);
  expect(processorTime(() => runAll(`x${text}y`), 1)).toBeLessThan(4_000);
});
