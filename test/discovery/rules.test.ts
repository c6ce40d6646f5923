import { describe, expect, test } from 'vitest';
import type { Hit, Rule, Tree } from '../../src/discovery/rule.ts';
import { conflictMarker } from '../../src/discovery/rules/conflict-marker.ts';
import { foreignHook } from '../../src/discovery/rules/foreign-hook.ts';
import { hardcodedPath } from '../../src/discovery/rules/hardcoded-path.ts';
import { lockConflict, orphanLock, staleLock } from '../../src/discovery/rules/locks/lock-files.ts';
import { readOnlyNotice } from '../../src/discovery/rules/read-only-notice.ts';
import { rigidStructure } from '../../src/discovery/rules/rigid-structure.ts';
import { fileRole } from '../../src/discovery/scanner/file-role.ts';
import { defaultStructure } from '../../src/session/settings/discovery.ts';
import { processorTime, repeatedly } from '../helpers/processor-time.ts';

const context = { home: '/home/carol', structure: defaultStructure };

const inFile = (rule: Rule, path: string, text: string, home = context.home): readonly Hit[] => [
  ...(rule.file?.({ path, role: fileRole(path), text }, { ...context, home }) ?? []),
];

const inTree = (rule: Rule, files: Readonly<Record<string, string>>, replace: Partial<Tree> = {}) => [
  ...(rule.tree?.(
    {
      paths: Object.keys(files).sort(),
      isRepository: true,
      read: (path) => files[path] ?? null,
      hooksPath: null,
      ...replace,
    },
    context,
  ) ?? []),
];

describe('hardcoded_path', () => {
  const values = (text: string, home?: string) =>
    inFile(hardcodedPath, 'src/a.ts', text, home).map(({ value }) => value);

  test.each([
    { text: 'root = "/Users/zed/data"', found: ['/Users/zed/'] },
    { text: "cd '/home/zed.w-1_x/src'", found: ['/home/zed.w-1_x/'] },
    { text: 'C:\\Users\\zed\\data', found: ['C:\\Users\\zed\\'] },
    { text: '"C:\\\\Users\\\\zed\\\\data"', found: ['C:\\\\Users\\\\zed\\\\'] },
    { text: 'C:\\\\Users\\zed\\', found: [] },
    { text: 'PATH=/Users/zed/bin:/Users/amy/bin', found: ['/Users/zed/', '/Users/amy/'] },
    { text: 'https://example.com/home/zed/x', found: [] },
    { text: '~/home/zed/', found: [] },
    { text: '../home/zed/', found: [] },
    { text: 'a/Users/zed/', found: [] },
    { text: '-/Users/zed/', found: [] },
    { text: '/Users/zed', found: [] },
    { text: '/home//zed/', found: [] },
    { text: '/home/$USER/x', found: [] },
  ])('finds $found in $text', ({ text, found }) => {
    expect(values(text)).toEqual(found);
  });

  test.each([
    { home: '/home/al', text: '"/home/al/x" "/home/alice/x"', found: ['/home/al', '/home/alice/'] },
    { home: '/home/al', text: 'HOME=/home/al', found: ['/home/al'] },
    { home: '/home/al', text: 'file:///home/al/x', found: ['/home/al'] },
    { home: '/home/al', text: '/home/al.old /home/al-2 /mnt/home/al/', found: [] },
    { home: '/home/al', text: 'in /home/al.', found: ['/home/al'] },
    { home: '/root', text: '"/root/x" /root, but /rooted a/root //root', found: ['/root', '/root'] },
    { home: '/', text: 'a / b, "/home/zed/"', found: ['/home/zed/'] },
    { home: '', text: '"/home/zed/"', found: ['/home/zed/'] },
  ])('with the home $home finds $found in $text', ({ home, text, found }) => {
    expect(values(text, home)).toEqual(found);
  });

  test.each([
    { path: 'src/a.ts', zed: 'high', own: 'critical' },
    { path: 'settings/app.toml', zed: 'high', own: 'critical' },
    { path: '.env', zed: 'high', own: 'critical' },
    { path: 'scripts/deploy.ts', zed: 'medium', own: 'medium' },
    { path: 'Makefile', zed: 'medium', own: 'medium' },
    { path: 'test/a.test.ts', zed: 'low', own: 'low' },
    { path: 'README.md', zed: 'low', own: 'low' },
    { path: 'docs/conf.py', zed: 'low', own: 'low' },
    { path: 'test/fixtures/x.json', zed: 'low', own: 'low' },
    { path: 'dist/a.js', zed: 'low', own: 'low' },
    { path: 'package-lock.json', zed: 'low', own: 'low' },
  ])('in $path is $zed, and $own for the home of this person', ({ path, zed, own }) => {
    const severities = inFile(hardcodedPath, path, '/home/zed/ and /home/carol/').map(
      ({ severity }) => severity,
    );
    expect(severities).toEqual([own, zed]);
  });

  test.each(['/root', '/home2'])(
    'in code the home %s, which many machines share, is high and not critical',
    (home) => {
      expect(inFile(hardcodedPath, 'src/a.ts', `"${home}/x"`, home)).toMatchObject([{ severity: 'high' }]);
    },
  );

  test.each(['you', 'user', 'USERNAME', 'youruser', 'alice', 'runner', 'vscode', 'test'])(
    'of a placeholder such as %s is low, even for a home of that name',
    (name) => {
      for (const home of ['/home/carol', `/home/${name}`])
        expect(inFile(hardcodedPath, 'src/a.ts', `"/home/${name}/x"`, home)).toMatchObject([
          { severity: 'low' },
        ]);
    },
  );

  test.each(['// see /home/zed/x', ' * in /home/zed/x', '# /home/zed/x', '<!-- /home/zed/x'])(
    'in the comment "%s" of a code file it is documentation',
    (text) => {
      expect(inFile(hardcodedPath, 'src/a.ts', `a\n${text}\n`)).toMatchObject([
        { severity: 'low', role: 'doc' },
      ]);
    },
  );

  test('after a shebang, and behind code, it counts', () => {
    const text = '#!/home/zed/bin/node\nroot = "/home/zed/" // mine\n';
    expect(inFile(hardcodedPath, 'src/a.ts', text).map(({ severity }) => severity)).toEqual(['high', 'high']);
  });

  test('names the line', () => {
    const text = 'a\n\n"/Users/zed/"\n'.repeat(2);
    expect(inFile(hardcodedPath, 'a.ts', text).map(({ line }) => line)).toEqual([3, 6]);
  });

  test('is linear in a file that holds nothing else', () => {
    const find = (count: number) => inFile(hardcodedPath, 'src/a.ts', `${'/home/z/ '.repeat(count)}\n`);
    expect(find(116_000)).toHaveLength(116_000);
    const pieces = processorTime(
      repeatedly(8, () => void find(14_500)),
      1,
    );
    // As many in one line as in eight: as long when linear, eight times as long when quadratic.
    expect(processorTime(() => void find(116_000))).toBeLessThan(pieces * 4 + 100);
  });
});

test('committed build outputs are found once for each substring, samples are not', () => {
  const files = {
    'node_modules/a/index.js': '',
    'lib/__pycache__/x.pyc': '',
    'test/fixtures/node_modules/b.js': '',
    'src/a.ts': '',
  };
  expect(inTree(rigidStructure, files).map(({ value, file }) => [value, file])).toEqual([
    ['.pyc', 'lib/__pycache__/x.pyc'],
    ['/node_modules/', 'node_modules/a/index.js'],
  ]);
  expect(inTree(rigidStructure, files, { isRepository: false })).toEqual([]);
});

describe('foreign_hook', () => {
  test('names each command of agent settings that is not ours', () => {
    const hooks = {
      PreToolUse: [
        {
          matcher: '*',
          hooks: [
            { type: 'command', command: './guard.sh' },
            { type: 'command', command: 'ralph-tui hook pre' },
          ],
        },
      ],
    };
    const found = inTree(foreignHook, { '.claude/settings.json': JSON.stringify({ hooks }, null, 1) });
    expect(found).toMatchObject([{ value: './guard.sh', line: 9, severity: 'low' }]);
  });

  test.each([
    { files: { '.husky/pre-commit': 'npm test' }, replace: { hooksPath: '.husky' }, found: ['husky'] },
    { files: { '.pre-commit-config.yaml': '' }, replace: {}, found: ['.pre-commit-config.yaml'] },
    { files: { 'lefthook.yml': '' }, replace: {}, found: ['lefthook.yml'] },
    { files: {}, replace: { hooksPath: '/opt/hooks' }, found: ['/opt/hooks'] },
    { files: { '.claude/settings.json': '{not json "hooks"' }, replace: {}, found: [] },
  ])('finds $found', ({ files, replace, found }) => {
    expect(inTree(foreignHook, files, replace).map(({ value }) => value)).toEqual(found);
  });
});

describe('lock files', () => {
  const manifest = '{"dependencies":{"zod":"^4.0.0"},"devDependencies":{"vitest":"5.1.1"}}';
  const npm = (root: object) => JSON.stringify({ lockfileVersion: 3, packages: { '': root } });

  test.each([
    {
      lock: 'package-lock.json',
      text: npm({ dependencies: { zod: '^4.0.0' }, devDependencies: { vitest: '5.1.1' } }),
      stale: false,
    },
    {
      lock: 'package-lock.json',
      text: npm({ dependencies: { zod: '^3.0.0' }, devDependencies: { vitest: '5.1.1' } }),
      stale: true,
    },
    { lock: 'package-lock.json', text: npm({ dependencies: { zod: '^4.0.0' } }), stale: true },
    {
      lock: 'yarn.lock',
      text: '# yarn lockfile v1\nvitest@5.1.1:\n  version "5.1.1"\nzod@^4.0.0, zod@^4.1.0:\n',
      stale: false,
    },
    {
      lock: 'yarn.lock',
      text: '__metadata:\n  version: 8\n"zod@npm:^4.0.0":\n"vitest@npm:5.1.1":\n',
      stale: false,
    },
    { lock: 'yarn.lock', text: '# yarn lockfile v1\nzod@^3.0.0:\nvitest@5.1.1:\n', stale: true },
    {
      lock: 'pnpm-lock.yaml',
      text: 'importers:\n\n  .:\n    dependencies:\n      zod:\n        specifier: ^4.0.0\n        version: 4.1.0\n    devDependencies:\n      vitest:\n        specifier: 5.1.1\n',
      stale: false,
    },
    {
      lock: 'pnpm-lock.yaml',
      text: 'importers:\n\n  .:\n    dependencies:\n      zod:\n        specifier: ^3.0.0\n  app:\n    dependencies:\n      zod:\n        specifier: ^4.0.0\n',
      stale: true,
    },
    { lock: 'pnpm-lock.yaml', text: 'specifiers:\n  zod: ^4.0.0\n  vitest: 5.1.1\n', stale: false },
  ])('$lock is stale: $stale', ({ lock, text, stale }) => {
    expect(inTree(staleLock, { 'package.json': manifest, [lock]: text })).toHaveLength(stale ? 1 : 0);
  });

  const cargo =
    '[package]\nname = "x"\n[dependencies]\nserde_json = "1"\nold = { package = "renamed", version = "1" }\n[dev-dependencies.tempfile]\nversion = "3"\n[target."cfg(unix)".dependencies]\nnix = "0.2"\n';
  const packages = (...names: readonly string[]) =>
    names.map((name) => `[[package]]\nname = "${name}"\nversion = "1"\n`).join('\n');
  const go =
    'module example.com/x\n\nrequire (\n\tgithub.com/a/b v1.2.0\n\tgithub.com/c/d v0.1.0 // indirect\n)\nreplace github.com/c/d => ../d\n';
  const python =
    '[project]\nname = "x"\ndependencies = [\n  "Typing_Extensions>=4",\n  "httpx[http2] ~= 0.27",\n]\n';
  const poetry =
    '[tool.poetry.dependencies]\npython = "^3.11"\nrequests = "^2"\n[tool.poetry.group.dev.dependencies]\npytest = "*"\n';

  test.each([
    {
      manifest: ['Cargo.toml', cargo],
      lock: ['Cargo.lock', packages('serde_json', 'renamed', 'tempfile', 'nix')],
      missing: '',
    },
    {
      manifest: ['Cargo.toml', cargo],
      lock: ['Cargo.lock', packages('serde_json', 'renamed')],
      missing: 'nix, tempfile',
    },
    {
      manifest: ['go.mod', go],
      lock: ['go.sum', 'github.com/a/b v1.2.0 h1:x=\ngithub.com/a/b v1.2.0/go.mod h1:y=\n'],
      missing: '',
    },
    {
      manifest: ['go.mod', go],
      lock: ['go.sum', 'github.com/a/b v1.1.0/go.mod h1:y=\n'],
      missing: 'github.com/a/b v1.2.0',
    },
    {
      manifest: ['pyproject.toml', python],
      lock: ['uv.lock', packages('typing-extensions', 'httpx')],
      missing: '',
    },
    {
      manifest: ['pyproject.toml', python],
      lock: ['uv.lock', packages('httpx')],
      missing: 'Typing_Extensions',
    },
    { manifest: ['pyproject.toml', poetry], lock: ['poetry.lock', packages('requests')], missing: 'pytest' },
  ])(
    '$lock.0 misses "$missing"',
    ({ manifest: [file = '', text = ''], lock: [lock = '', locked = ''], missing }) => {
      const found = inTree(staleLock, { [file]: text, [lock]: locked });
      expect(found.map(({ description }) => description.replace(/^.*requires: /, '')).join()).toBe(missing);
    },
  );

  test('of one ecosystem beside each other conflict; in other directories they do not', () => {
    const found = inTree(lockConflict, {
      'yarn.lock': '',
      'package-lock.json': '',
      'app/pnpm-lock.yaml': '',
      'Cargo.lock': '',
    });
    expect(found).toMatchObject([{ value: 'package-lock.json, yarn.lock', severity: 'medium' }]);
  });

  test('without a manifest are orphans', () => {
    const found = inTree(orphanLock, { 'uv.lock': '', 'app/pyproject.toml': '', 'app/uv.lock': '' });
    expect(found).toMatchObject([{ file: 'uv.lock', severity: 'low' }]);
  });
});

describe('conflict_marker', () => {
  const whole = 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\n';

  test.each([
    { text: whole, lines: [2] },
    { text: whole + whole, lines: [2, 8] },
    { text: '<<<<<<< HEAD\nb\n', lines: [] },
    { text: 'Title\n=======\n', lines: [] },
    { text: '  <<<<<<< HEAD\n=======\n>>>>>>> x', lines: [] },
  ])('is found in lines $lines', ({ text, lines }) => {
    expect(inFile(conflictMarker, 'src/a.ts', text).map(({ line }) => line)).toEqual(lines);
  });
});

describe('read_only_notice', () => {
  test('reads memory files and what they link, cycles safe', () => {
    const found = inTree(readOnlyNotice, {
      'CLAUDE.md': '# Rules\n- Do not edit `src/gen`.\nSee @docs/rules.md and `@not/alink.md`.\n',
      'docs/rules.md': 'Never manually modify migrations.\n@../CLAUDE.md @../../outside.md\n',
      'app/AGENTS.md': 'The client is auto-generated by make.',
      'README.md': 'Do not edit this.',
      'not/alink.md': 'Do not touch.',
    });
    expect(
      found.map(({ file, line, value, linkedFrom, confidence }) => [
        file,
        line,
        value,
        linkedFrom,
        confidence,
      ]),
    ).toEqual([
      ['CLAUDE.md', 2, 'Do not edit `src/gen`.', undefined, 0.7],
      ['docs/rules.md', 1, 'Never manually modify migrations.', 'CLAUDE.md', 0.7],
      ['app/AGENTS.md', 1, 'The client is auto-generated by make.', undefined, 0.7],
    ]);
  });

  test('leaves out what describes and what is quoted, and marks of bold', () => {
    const text = [
      "Remaps that don't touch the built-in keyboard.",
      'Rules such as "don\'t touch this" have their place.',
      'Tools which never change files.',
      '**Never touch Metadata** (it is read only).',
    ].join('\n\n');
    expect(inTree(readOnlyNotice, { 'CLAUDE.md': text }).map(({ value }) => value)).toEqual([
      'Never touch Metadata (it is read only).',
    ]);
  });
});
