import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText } from '../../src/base/replace-file.ts';
import { scanFileIn, writeScan } from '../../src/cli/discovery/write-scan.ts';
import { countFindings, parseScanFile, type Scan } from '../../src/discovery/records/scan-file.ts';
import { finding } from '../helpers/findings.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

const scanOf = (count: number): Scan => {
  const findings = Array.from({ length: count }, (_, index) => finding({ id: `a-${index}` }));
  return {
    findings,
    metadata: {
      _type: 'metadata',
      scan_timestamp: '2026-02-15T10:00:00+00:00',
      project_dir: '/work',
      worktree_type: 'main',
      main_repo_root: '/work',
      sources: ['scanner'],
      durations_ms: {},
      status: 'complete',
      skipped_sources: [],
      skipped_files: { count: 0, first: [] },
      parse_errors: 0,
      counts: countFindings(findings),
      aggregation: { total_before: count, total_after: count, deduped: 0, below_threshold: 0 },
      error: null,
      schema: 1,
    },
  };
};
const file = scanFileIn('/work');

describe('the record file', () => {
  test('is the old one or the new one, never half, wherever the program is killed or the power fails', () => {
    for (const power of [false, true])
      for (const torn of [false, true])
        for (let at = 1, crashed = true; crashed; at += 1) {
          const disk = createSimulatedDisk();
          disk.mkdir('/work');
          const ports = { disk, random: createSeededRandom(1) };
          writeScan(ports, scanOf(1), file);
          disk.crashAfter(at, { torn });
          try {
            writeScan(ports, scanOf(400), file);
          } catch {
            expect(disk.crashed()).toBe(true);
          }
          crashed = disk.crashed();
          disk.restart();
          if (power) disk.loseUnflushed(() => true);
          const { value, problems } = parseScanFile(readText(disk, file) ?? '');
          expect(problems).toEqual([]);
          expect([1, 400]).toContain(value.findings.length);
        }
  });

  test('lies beside a .gitignore, which is not written over and not put elsewhere', () => {
    const disk = createSimulatedDisk();
    disk.mkdir('/work');
    const ports = { disk, random: createSeededRandom(1) };
    writeScan(ports, scanOf(1), join('/work', 'out/scan.jsonl'));
    expect(disk.tree('/work/out').length).toBe(1);
    writeScan(ports, scanOf(1), file);
    expect(disk.text('/work/.ralph/.gitignore')).toContain('constraint-scan.jsonl');
    disk.put('/work/.ralph/.gitignore', 'mine');
    writeScan(ports, scanOf(1), file);
    expect(disk.text('/work/.ralph/.gitignore')).toBe('mine');
  });
});
