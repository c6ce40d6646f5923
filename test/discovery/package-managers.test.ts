import { expect, test } from 'vitest';
import { nodeManager } from '../../src/discovery/checks/node-manager.ts';
import { wantedTools } from '../../src/discovery/probes/wanted-tools.ts';
import { nodeLocks } from '../../src/discovery/rules/locks/node-locks.ts';

const manager = (manifest: object, ...files: readonly string[]): string => {
  const { program, evidence } = nodeManager({ ...manifest }, (file) => files.includes(file));
  return `${program} by ${evidence}`;
};

test.each([
  [{ packageManager: 'pnpm@9.1.0' }, ['package-lock.json', 'yarn.lock'], 'pnpm by package.json'],
  [{ engines: { yarn: '>=4', npm: 'use yarn' } }, ['package-lock.json'], 'yarn by package.json'],
  [{ engines: { node: '>=22' } }, ['bun.lock'], 'bun by bun.lock'],
  [{}, ['pnpm-lock.yaml', 'package-lock.json'], 'pnpm by pnpm-lock.yaml'],
  [{}, [], 'npm by package.json'],
] as const)('of %j and %j the package manager is %s', (manifest, files, expected) => {
  expect(manager(manifest, ...files)).toBe(expected);
});

test('a version is named with the file that asks for it', () => {
  const files: Readonly<Record<string, string>> = {
    'package.json': '{"engines": {"pnpm": ">=9"}}',
    '.nvmrc': 'v22.3.0\n',
    'yarn.lock': '',
  };
  const tools = wantedTools((path) => files[path] ?? null);
  expect(tools.map(({ programs, least, file }) => [programs[0], least, file])).toEqual([
    ['node', '22.3.0', '.nvmrc'],
    ['pnpm', '9', 'package.json'],
  ]);
});

test('members of an npm workspace are compared with the lock that holds them', () => {
  const kind = nodeLocks.find(({ lock }) => lock === 'package-lock.json');
  const lock = JSON.stringify({
    packages: {
      '': { workspaces: ['packages/*'] },
      'packages/a': { dependencies: { zod: '^3.0.0' } },
      'node_modules/a': { resolved: 'packages/a', link: true },
      'packages/a/node_modules/b': {},
    },
  });
  expect(kind?.members?.(lock)).toEqual(['packages/a']);
  const missing = (zod: string) =>
    kind?.missing?.(lock, JSON.stringify({ dependencies: { zod } }), 'packages/a');
  expect(missing('^4.0.0')).toEqual(['zod ^4.0.0']);
  expect(missing('^3.0.0')).toEqual([]);
});

test('versions that mise.toml and .tool-versions pin are wanted as those of .nvmrc are', () => {
  const files: Readonly<Record<string, string>> = {
    'mise.toml': '[tools]\nnode = "99"\npython = { version = "3.99" }\nterraform = "1"\n[env]\nnode = "5"\n',
    '.tool-versions': '# pinned\nnodejs 98.1 # why\nruby latest\n',
  };
  const tools = wantedTools((path) => files[path] ?? null);
  expect(tools.map(({ file, programs, least }) => [file, programs[0], least])).toEqual([
    ['mise.toml', 'node', '99'],
    ['mise.toml', 'python3', '3.99'],
    ['.tool-versions', 'node', '98.1'],
    ['.tool-versions', 'ruby', null],
  ]);
});
