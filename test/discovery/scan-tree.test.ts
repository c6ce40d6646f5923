import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import type { Rule } from '../../src/discovery/rule.ts';
import { rules } from '../../src/discovery/rules/index.ts';
import { scanTree } from '../../src/discovery/scanner/scan-tree.ts';
import { defaultStructure } from '../../src/session/settings/discovery.ts';
import { git, repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const ports = { disk: createDisk(), clock: createClock(), spawn: createSpawn(), env: process.env };

const scan = (projectDir: string, allRoles = false) =>
  scanTree(
    ports,
    { projectDir, marker: 'discovery/test', signal: new AbortController().signal },
    { home: '/home/carol', structure: defaultStructure, exclude: [], allRoles },
    rules,
  );

const write = (root: string, files: Readonly<Record<string, string | Uint8Array>>): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
};

const idsOf = ({ findings }: Awaited<ReturnType<typeof scan>>) => findings.map(({ id }) => id).sort();

const brittle = {
  'app/src/a.ts': 'const root = "/home/zed/data";\n',
  'app/package.json': '{"dependencies":{"zod":"4"}}',
  'app/yarn.lock': '# yarn lockfile v1\n',
};

describe('ids', () => {
  test('stay when lines move, in a sub-directory, and in a linked worktree', async () => {
    const root = repositoryWith(brittle);
    const before = await scan(root);
    expect(idsOf(before)).toHaveLength(2);
    write(root, { 'app/src/a.ts': `\n\n// moved\n${brittle['app/src/a.ts']}` });
    const linked = join(tempDir(), 'linked');
    git(root, 'worktree', 'add', '-q', linked);
    for (const place of [root, join(root, 'app'), linked])
      expect(idsOf(await scan(place))).toEqual(idsOf(before));
    expect((await scan(root)).findings).toMatchObject([{ line: 4 }, { file: 'app/yarn.lock' }]);
    expect((await scan(join(root, 'app'))).findings).toMatchObject([
      { file: 'src/a.ts' },
      { file: 'yarn.lock' },
    ]);
  });

  test('of one value in many files are one; the strongest file stands for it, 20 places are named', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`scripts/s${index}.sh`, 'cd /home/zed/\n']),
    );
    const { findings } = await scan(repositoryWith({ ...many, 'z.toml': '\nroot = "/home/zed/"\n' }));
    expect(findings).toMatchObject([{ severity: 'high', file: 'z.toml', line: 2, occurrences: 31 }]);
    expect(findings[0]?.locations).toHaveLength(20);
  });
});

describe('the kind of work tree', () => {
  test('is main with its root, linked with the root of the main one, or not_git', async () => {
    const root = repositoryWith({ 'a/b.ts': '' });
    const linked = join(tempDir(), 'linked');
    git(root, 'worktree', 'add', '-q', linked);
    const plain = tempDir();
    const kindOf = async (place: string) => {
      const { worktreeType, mainRepoRoot } = (await scan(place)).repository;
      return [worktreeType, mainRepoRoot];
    };
    expect(await kindOf(root)).toEqual(['main', root]);
    expect(await kindOf(join(root, 'a'))).toEqual(['main', root]);
    expect(await kindOf(linked)).toEqual(['linked', root]);
    expect(await kindOf(plain)).toEqual(['not_git', null]);
  });

  test('that git refuses is walked, and the reason is named', async () => {
    const root = tempDir();
    write(root, { '.git': 'gitdir: /nowhere\n', 'a.ts': '"/home/zed/"' });
    const { findings, error } = await scan(root);
    expect(findings).toHaveLength(1);
    expect(error).toContain('git could not list the files');
  });
});

test.each([
  { from: 'its own configuration', at: 'own' },
  { from: 'the configuration of the person', at: 'person' },
  { from: 'a file that its configuration includes', at: 'included' },
] as const)('hooks are found that are set in $from', async ({ at }) => {
  const root = repositoryWith({ 'a/b.ts': '' });
  const home = tempDir();
  if (at === 'own') git(root, 'config', 'core.hooksPath', '/opt/hooks');
  if (at === 'person') write(home, { '.gitconfig': '[core]\n  hooksPath = /opt/hooks\n' });
  if (at === 'included') {
    write(home, { 'more.cfg': '[core]\n  hooksPath = /opt/hooks\n' });
    git(root, 'config', 'include.path', join(home, 'more.cfg'));
  }
  for (const projectDir of [root, join(root, 'a')]) {
    const place = { projectDir, marker: 'discovery/test', signal: new AbortController().signal };
    const own = { ...ports, env: { PATH: process.env['PATH'], HOME: home } };
    const options = { home: '/home/carol', structure: [], exclude: [], allRoles: false };
    expect((await scanTree(own, place, options, rules)).findings).toMatchObject([
      { category: 'foreign_hook', value: '/opt/hooks' },
    ]);
  }
});

test('a checkout cannot run code through its git configuration or its own git', async () => {
  const root = repositoryWith({ 'a.ts': '"/home/zed/"', 'bin/git': `#!/bin/sh\ntouch ran-git\n` });
  chmodSync(join(root, 'bin/git'), 0o755);
  write(root, { 'watch.sh': '#!/bin/sh\ntouch ran-fsmonitor\n' });
  chmodSync(join(root, 'watch.sh'), 0o755);
  git(root, 'config', 'core.fsmonitor', join(root, 'watch.sh'));
  const env = { ...process.env, PATH: `${join(root, 'bin')}:.:${process.env['PATH']}` };
  const place = { projectDir: root, marker: 'discovery/test', signal: new AbortController().signal };
  const { findings } = await scanTree(
    { ...ports, env },
    place,
    {
      home: '/home/carol',
      structure: [],
      exclude: [],
      allRoles: false,
    },
    rules,
  );
  expect(findings).toHaveLength(1);
  const left = ports.disk.readdir(root);
  expect([left.includes('ran-git'), left.includes('ran-fsmonitor')]).toEqual([false, false]);
});

describe('without a repository', () => {
  test('.gitignore files are honoured, links are not followed, and loops end', async () => {
    const root = tempDir();
    const path = '"/home/zed/"';
    write(root, {
      '.gitignore': '# build\n/out\n*.log\n!keep.log\ncache/\n',
      'out/a.ts': path,
      'sub/out/b.ts': path,
      'x.log': path,
      'keep.log': path,
      'sub/.gitignore': 'inner.ts\n',
      'sub/inner.ts': path,
      'inner.ts': path,
      'sub/cache/c.ts': path,
      'node_modules/d.ts': path,
      '.ralph/constraint-scan.jsonl': path,
    });
    symlinkSync('..', join(root, 'sub/loop'));
    symlinkSync(join(root, 'inner.ts'), join(root, 'link.ts'));
    const { findings } = await scan(root, true);
    expect(findings[0]?.locations.map(({ file }) => file).sort()).toEqual([
      'inner.ts',
      'keep.log',
      'sub/out/b.ts',
    ]);
  });
});

test('a .gitignore whose patterns would backtrack for hours is read in time', async () => {
  const root = tempDir();
  write(root, {
    '.gitignore': `${'*a'.repeat(40)}b\n${'**/'.repeat(30)}x\n${'{*a,*c}'.repeat(20)}z\n${'*'.repeat(5_000)}z\n*.log\n`,
    [`${'a'.repeat(250)}`]: '"/home/zed/"',
    'x.log': '"/home/amy/"',
  });
  expect((await scan(root)).findings.map(({ value }) => value)).toEqual(['/home/zed/']);
});

describe('hostile files', () => {
  test('are counted and named, and never read beyond what is needed', async () => {
    const found = '"/home/zed/"';
    const root = repositoryWith({
      'big.ts': `${found}${' '.repeat(2 * 1024 * 1024)}`,
      'nul.ts': `${found}\0`,
      'late-nul.ts': `${' '.repeat(9_000)}"/home/late/"\0`,
      'bad.ts': '',
      'line\nbreak.ts': '"/home/break/"',
      'gone.ts': found,
      'swapped/a.ts': found,
    });
    write(root, { 'bad.ts': Buffer.from([0x22, ...Buffer.from('/home/bad/'), 0xff, 0x22]) });
    rmSync(join(root, 'gone.ts'));
    const outside = tempDir();
    write(outside, { 'a.ts': '"/home/outside/"' });
    renameSync(join(root, 'swapped'), join(root, '..', `${root.split('/').at(-1)}-old`));
    symlinkSync(outside, join(root, 'swapped'));
    symlinkSync('loop', join(root, 'loop'));
    execFileSync('mkfifo', [join(root, 'fifo.ts')]);
    git(root, 'add', '-f', 'loop');
    const { findings, skippedFiles } = await scan(root);
    expect(findings.map(({ value, file }) => [value, file]).sort()).toEqual([
      ['/home/bad/', 'bad.ts'],
      ['/home/break/', 'line\nbreak.ts'],
      ['/home/late/', 'late-nul.ts'],
    ]);
    expect(skippedFiles).toEqual({ count: 3, first: ['big.ts', 'loop', 'nul.ts'] });
    rmSync(join(root, '..', `${root.split('/').at(-1)}-old`), { recursive: true });
  });

  test('with a name that is no UTF-8 are read like any other', async () => {
    const root = tempDir();
    git(root, 'init', '-q');
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff]), Buffer.from('.ts')]),
      '"/home/zed/"',
    );
    git(root, 'add', '-A');
    const { findings } = await scan(root);
    expect(findings).toMatchObject([{ file: '\udcff.ts' }]);
    expect(JSON.parse(JSON.stringify(findings))).toEqual(findings);
  });
});

test('findings of documentation, fixtures and generated files only are left out and counted', async () => {
  const root = repositoryWith({
    'README.md': '/home/zed/x',
    'src/a.ts': '"/home/amy/"',
    'docs/a.md': '/home/amy/',
  });
  const { findings, quiet } = await scan(root);
  expect(findings.map(({ value }) => value)).toEqual(['/home/amy/']);
  expect(quiet).toBe(1);
  expect((await scan(root, true)).findings).toHaveLength(2);
});

describe('a rule that throws', () => {
  const fails: Rule = {
    name: 'brittle_rule',
    file: ({ path }) => {
      if (path.startsWith('odd')) throw new Error('too odd');
      return [];
    },
    tree: () => {
      throw new Error('no tree');
    },
  };

  test('is one critical finding that names it and its files; the other rules are heard', async () => {
    const root = repositoryWith({ 'a.ts': '"/home/zed/"', 'odd.ts': '"/home/amy/"', 'odd2.ts': '' });
    const place = { projectDir: root, marker: 'discovery/test', signal: new AbortController().signal };
    const options = { home: '/home/carol', structure: [], exclude: [], allRoles: false };
    const { findings } = await scanTree(ports, place, options, [fails, ...rules]);
    expect(findings).toMatchObject([
      {
        severity: 'critical',
        category: 'scan_failure',
        value: 'brittle_rule',
        description: 'The scan is incomplete: the rule brittle_rule failed: too odd',
        file: 'odd.ts',
        occurrences: 2,
        locations: [{ file: 'odd.ts' }, { file: 'odd2.ts' }],
      },
      { value: '/home/zed/' },
      { value: '/home/amy/' },
    ]);
  });

  test('of a link of 16 kB in a memory file there is none: the link names no file', async () => {
    const link = `See @${'a/'.repeat(8_000)}b.md and @real.md`;
    const root = repositoryWith({
      'AGENTS.md': link,
      'real.md': 'Do not edit gen.',
      'a.ts': '"/home/carol/x"',
    });
    const { findings } = await scan(root);
    expect(findings.map(({ category, severity }) => [category, severity])).toEqual([
      ['hardcoded_path', 'critical'],
      ['read_only_notice', 'medium'],
    ]);
  });
});

describe('a file that holds very much', () => {
  test('is cut short, which the scan says; the own home in it is found', async () => {
    const spam = Array.from({ length: 30_000 }, (_, index) => `"/home/u${index}/"`).join(' ');
    const root = repositoryWith({ 'a.ts': `${spam} "/home/carol/x"`, 'b.ts': '"/home/zed/"' });
    const { findings, error } = await scan(root);
    expect(findings.filter(({ severity }) => severity === 'critical')).toMatchObject([
      { value: '/home/carol' },
    ]);
    expect(findings.some(({ value }) => value === '/home/zed/')).toBe(true);
    expect(findings.length).toBeLessThan(1_010);
    expect(error).toBe('there are more findings than are listed: hardcoded_path in a.ts');
  });

  test('bounds the findings of a rule over all files, the most severe apart from the others', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 4 }, (_, file) => [
        `a${file}.ts`,
        Array.from({ length: 900 }, (_, index) => `"/home/u${file}x${index}/"`).join('\n'),
      ]),
    );
    const root = repositoryWith({ ...files, 'z.ts': '"/home/carol/x"' });
    const { findings, error } = await scan(root);
    expect(findings).toHaveLength(2_001);
    expect(findings.at(-1)).toMatchObject({ severity: 'critical', file: 'z.ts' });
    expect(error).toContain('hardcoded_path');
  });
});
