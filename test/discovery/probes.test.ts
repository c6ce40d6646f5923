import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { discoverConstraints } from '../../src/discovery/discover-constraints.ts';
import { probeSources } from '../../src/discovery/probes/index.ts';
import { parseRemote } from '../../src/discovery/probes/integration-points.ts';
import { compareVersions, leastVersion } from '../../src/discovery/probes/wanted-tools.ts';
import { type SourceReport, sourceSentence } from '../../src/discovery/sources.ts';
import { git, repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const clock = createClock();
const spawn = createSpawn(clock);
const disk = createDisk();

/** A directory of programs that are shell scripts. */
const programs = (scripts: Readonly<Record<string, string>>): string => {
  const bin = tempDir();
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
};

const realGit = (): Record<string, string> => ({ git: 'PATH=/usr/bin:/bin:/usr/local/bin exec git "$@"' });

interface Look {
  readonly projectDir: string;
  readonly path: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly offline?: boolean;
}

const marker = 'discovery/probe-test';

const look = async ({ projectDir, path, env = {}, timeoutMs = 30_000, offline = false }: Look) => {
  const ports = { disk, clock, spawn, env: { PATH: path, ...env } };
  const sentences: string[] = [];
  const told: SourceReport[] = [];
  const home = join(projectDir, '..', 'no-home');
  const { scan } = await discoverConstraints(ports, {
    projectDir,
    marker,
    home,
    structure: [],
    exclude: [],
    allRoles: false,
    aggregateSimilar: true,
    minConfidence: 0.6,
    scanner: true,
    scannerTimeoutMs: null,
    sources: probeSources(ports, { home, offline }, () => timeoutMs),
    ended: (report) => {
      sentences.push(sourceSentence(report, told));
      told.push(report);
    },
  });
  return {
    ...scan,
    sentences,
    found: scan.findings.map(({ category, value, severity }) => [category, value, severity]),
  };
};

describe('a tool that hangs', () => {
  test('loses its source only; what it started is gone, TERM ignored or not', async () => {
    const projectDir = repositoryWith({ 'a.ts': '' });
    git(projectDir, 'remote', 'add', 'origin', 'https://github.localhost/x/y');
    const path = programs({
      ...realGit(),
      gh: "trap '' TERM\n/bin/sleep 60 &\n/bin/sleep 60\n/bin/sleep 60",
    });
    const { metadata, findings, sentences } = await look({ projectDir, path, timeoutMs: 700 });
    expect(metadata).toMatchObject({
      status: 'partial',
      sources: ['scanner', 'env-scanner', 'config-discovery'],
      skipped_sources: [{ source: 'integration-points', reason: 'timed out' }],
    });
    expect(findings).toMatchObject([
      { category: 'source_timeout', severity: 'medium', source: 'integration-points' },
    ]);
    expect(sentences.at(-1)).toBe('integration-points: timed out, skipped (scanner and 2 probes are in)');
    expect((await spawn.stopMarked([`${marker}/integration-points`], 0)).stopped).toEqual([]);
  });

  test('that fails is an error of its source, and the others go on', async () => {
    const broken = {
      name: 'config-discovery',
      timeoutMs: null,
      find: () => Promise.reject(new Error('no luck')),
    };
    const projectDir = tempDir();
    const ports = { disk, clock, spawn, env: {} };
    const { reports, scan } = await discoverConstraints(ports, {
      projectDir,
      marker,
      home: '/home/carol',
      structure: [],
      exclude: [],
      allRoles: false,
      aggregateSimilar: true,
      minConfidence: 0.6,
      scanner: true,
      scannerTimeoutMs: null,
      sources: [broken],
    });
    expect(reports.map((report) => sourceSentence(report, []))).toEqual([
      'scanner: 0 findings',
      'config-discovery: error: no luck',
    ]);
    expect(scan.metadata.status).toBe('partial');
  });
});

test('with every tool missing interpreters are high and the rest is less; nothing is critical', async () => {
  const projectDir = tempDir();
  for (const [file, text] of Object.entries({
    'package.json': '{"dependencies":{"a":"1"}}',
    'pyproject.toml': '[project]\n',
    'uv.lock': '',
    'Cargo.toml': '',
    'go.mod': 'go 1.22\n',
    Makefile: '',
  }))
    writeFileSync(join(projectDir, file), text);
  const { found, metadata } = await look({ projectDir, path: '/nowhere', offline: true });
  expect(metadata.status).toBe('complete');
  expect(found).toEqual(
    expect.arrayContaining([
      ['tool_missing', 'node', 'high'],
      ['tool_missing', 'python3', 'high'],
      ['tool_missing', 'cargo', 'high'],
      ['tool_missing', 'go', 'high'],
      ['tool_missing', 'npm', 'medium'],
      ['tool_missing', 'uv', 'medium'],
      ['not_installed', 'node_modules', 'medium'],
      ['optional_tool', 'git', 'medium'],
      ['optional_tool', 'jq', 'low'],
    ]),
  );
  expect(found.filter(([, , severity]) => severity === 'critical')).toEqual([]);
  // Agents bring their own search.
  expect(found.filter(([, value]) => value === 'rg' || value === 'fd')).toEqual([]);
});

describe('env-scanner', () => {
  test('compares versions with what the manifest asks for, and runs tools outside the project', async () => {
    const projectDir = repositoryWith({
      'package.json': '{"engines":{"node":"^20.1 || >=22.22"},"packageManager":"pnpm@9"}',
      'go.mod': 'module x\ngo 1.30\n',
    });
    const path = programs({
      ...realGit(),
      node: '[ "$(pwd)" = / ] && echo v20.0.9',
      pnpm: 'echo 9.0.0',
      go: 'echo go version go1.30.1 linux/amd64',
    });
    const { found } = await look({ projectDir, path, offline: true });
    expect(found.filter(([category]) => /^tool/.test(String(category)))).toEqual([
      ['tool_version', 'node', 'high'],
    ]);
  });

  test.each([
    ['>=22.22', '22.22'],
    ['^20.1 || >=22', '20.1'],
    ['>=3.9,<4.0', '3.9'],
    ['<4', null],
    ['v20.11.0\n', '20.11.0'],
    ['3.11.*', '3.11'],
    ['lts/*', null],
    ['"^3.10"', '3.10'],
  ])('takes %s as at least %s', (range, least) => {
    expect(leastVersion(range)).toBe(least);
  });

  test('versions compare by their numbers', () => {
    expect([
      compareVersions('1.9', '1.10') < 0,
      compareVersions('20', '20.0.0'),
      compareVersions('3.2', '3.1.9') > 0,
    ]).toEqual([true, 0, true]);
  });
});

test('config-discovery names variables without their values, broken settings, and what can be imported', async () => {
  const projectDir = repositoryWith({
    '.claude/settings.json': '{"hooks": ',
    '.claude/ralph-config.json': '{}',
    '.ralph/config.yaml': 'nonsense: 1\n',
  });
  const { found, findings } = await look({
    projectDir,
    path: programs(realGit()),
    env: { NODE_OPTIONS: '--require=/secret.js' },
    offline: true,
  });
  expect(found).toEqual(
    expect.arrayContaining([
      ['environment_variable', 'NODE_OPTIONS', 'medium'],
      ['agent_settings', '.claude/settings.json', 'medium'],
      ['configuration', '.ralph/config.yaml', 'medium'],
      ['configuration', '.claude/ralph-config.json', 'low'],
    ]),
  );
  expect(JSON.stringify(findings)).not.toContain('secret');
});

describe('integration-points', () => {
  test('asks for logins of what the project uses, and for none offline', async () => {
    const projectDir = repositoryWith({ 'doppler.yaml': '', '.env.example': 'KEY=op://vault/item/key' });
    git(projectDir, 'remote', 'add', 'origin', 'ssh://git@github.localhost:1/x/y');
    const path = programs({
      ...realGit(),
      gh: 'exit 1',
      'ssh-add': 'exit 2',
      doppler: 'exit 1',
      op: 'exit 1',
      rg: '',
      jq: '',
      fdfind: '',
    });
    const online = await look({ projectDir, path });
    expect(online.found).toEqual(
      expect.arrayContaining([
        ['login', 'gh', 'medium'],
        ['login', 'ssh-add', 'medium'],
        ['login', 'doppler', 'medium'],
        ['login', 'op', 'medium'],
        ['network', 'github.localhost', 'medium'],
      ]),
    );
    const offline = await look({ projectDir, path, offline: true });
    expect(offline.found).toEqual([]);
  });

  test('never runs a tool that lies in the workspace', async () => {
    const projectDir = repositoryWith({ 'package.json': '{}' });
    mkdirSync(join(projectDir, 'bin'));
    writeFileSync(join(projectDir, 'bin/node'), '#!/bin/sh\necho v99.0.0\n', { mode: 0o755 });
    const { found } = await look({
      projectDir,
      path: `${join(projectDir, 'bin')}:bin:${programs(realGit())}`,
      offline: true,
    });
    expect(found).toContainEqual(['tool_missing', 'node', 'high']);
  });

  test.each([
    ['https://github.com/a/b.git', { host: 'github.com', port: 443, ssh: false }],
    ['https://user:token@example.com:8443/a', { host: 'example.com', port: 8443, ssh: false }],
    ['ssh://git@host.example:2222/a', { host: 'host.example', port: 2222, ssh: true }],
    ['git@github.com:a/b.git', { host: 'github.com', port: 22, ssh: true }],
    ['/srv/git/a.git', null],
    ['../a', null],
    ['--upload-pack=x', null],
    ['', null],
  ])('reads the remote %s', (url, remote) => {
    expect(parseRemote(url)).toEqual(remote);
  });
});
