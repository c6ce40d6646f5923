import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClock } from '../../../src/base/clock.io.ts';
import { createDisk } from '../../../src/base/disk.io.ts';
import { createSpawn } from '../../../src/base/process/spawn.io.ts';
import { aggregate } from '../../../src/discovery/aggregate/aggregate.ts';
import { probeSources } from '../../../src/discovery/probes/index.ts';
import type { Finding } from '../../../src/discovery/records/finding.ts';
import { rules } from '../../../src/discovery/rules/index.ts';
import { scanTree } from '../../../src/discovery/scanner/scan-tree.ts';
import { runSources } from '../../../src/discovery/sources.ts';
import { defaultStructure } from '../../../src/session/settings/discovery.ts';
import { finding } from '../../helpers/findings.ts';
import { atMost, type Row, sampleTurns, sampleTurnsAsync, turnsRow } from '../measure.ts';

const files = 3_000;
const records = 10_000;
const deadlineMs = 2_000;

/** What happens before a run (src/discovery/README.md, Numbers). */
export const discovery = async (): Promise<readonly Row[]> => {
  const root = mkdtempSync(join(tmpdir(), 'ralph-tui-bench-'));
  try {
    return [
      await scanRow(root),
      await probesRow(root),
      aggregationRow('scattered'),
      aggregationRow('one file'),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

const ports = () => {
  const clock = createClock();
  return { disk: createDisk(), clock, spawn: createSpawn(clock), env: process.env };
};

const git = (root: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });

const scanRow = async (root: string): Promise<Row> => {
  const code = `${'export const value = { path: "src/a.ts", home: process.env.HOME };\n'.repeat(120)}`;
  for (let index = 0; index < files; index += 1) {
    const file = join(root, `src/d${index % 60}/f${index}.ts`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, index % 50 === 0 ? `${code}const root = "/home/zed/data";\n` : code);
  }
  git(root, 'init', '-q');
  git(root, 'add', '-A');
  const options = { home: '/home/carol', structure: defaultStructure, exclude: [], allRoles: false };
  const place = { projectDir: root, marker: 'bench/scan', signal: new AbortController().signal };
  const turns = await sampleTurnsAsync(
    7,
    () => scanTree(ports(), place, options, rules),
    async () => {
      for (const path of git(root, 'ls-files', '-z').split('\0'))
        if (path !== '') readFileSync(join(root, path), 'utf8');
    },
  );
  return turnsRow(`scan of ${files} files`, 'git ls-files and reading them', 3, turns);
};

const probesRow = async (root: string): Promise<Row> => {
  const bin = mkdtempSync(join(tmpdir(), 'ralph-tui-bench-bin-'));
  writeFileSync(join(bin, 'gh'), "#!/bin/sh\ntrap '' TERM\nsleep 60\nsleep 60\n");
  chmodSync(join(bin, 'gh'), 0o755);
  git(root, 'remote', 'add', 'origin', 'https://github.localhost/x/y');
  const own = { ...ports(), env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` } };
  const before = performance.now();
  const reports = await runSources(own, {
    projectDir: root,
    marker: 'bench/probes',
    sources: probeSources(own, { home: '/nonexistent', offline: false }, () => deadlineMs),
  });
  const took = performance.now() - before;
  rmSync(bin, { recursive: true, force: true });
  const late = reports.filter(({ end }) => end.kind === 'timed-out').length;
  return {
    name: `three probes, ${late} of them hangs, deadline ${deadlineMs} ms`,
    value: took,
    unit: 'ms',
    base: { name: 'deadline', value: deadlineMs },
    ...atMost(1.5, took, deadlineMs),
    ...(late === 1 ? {} : { ok: false }),
  };
};

const aggregationRow = (shape: 'scattered' | 'one file'): Row => {
  const all = manyFindings(shape === 'scattered');
  const turns = sampleTurns(
    15,
    () => void aggregate(all, { aggregateSimilar: true, minConfidence: 0.6 }),
    () => void all.map((each) => JSON.stringify(each)),
    3,
  );
  return turnsRow(`aggregation of ${records} records, ${shape}`, 'writing them as JSON', 8, turns);
};

const sources = ['scanner', 'env-scanner', 'config-discovery', 'explorer-memory'];

const manyFindings = (scattered: boolean): readonly Finding[] =>
  Array.from({ length: records }, (_, index) =>
    finding({
      id: `rule-${index % 9_000}`,
      source: sources[index % sources.length] ?? 'scanner',
      confidence: index % 4 === 0 ? 1 : 0.8,
      file: scattered ? `src/f${index % 700}.ts` : 'src/one.ts',
      value: `value ${index % 8_500}`,
      description: `Finding number ${index} about word${index % 97} and word${index % 89} in a place`,
    }),
  );
