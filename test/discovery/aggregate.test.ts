import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClock } from '../../src/base/clock.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { aggregate } from '../../src/discovery/aggregate/aggregate.ts';
import { type Finding, severities } from '../../src/discovery/records/finding.ts';
import { parseScanFile, scanLines } from '../../src/discovery/records/scan-file.ts';
import { runSources } from '../../src/discovery/sources.ts';
import { finding } from '../helpers/findings.ts';

const options = { aggregateSimilar: true, minConfidence: 0.6 };
const united = (...findings: readonly Finding[]) => aggregate(findings, options);

const probe = (replace: Partial<Finding>): Finding =>
  finding({ source: 'config-discovery', confidence: 0.9, id: 'probe-1', ...replace });

describe('findings of one id', () => {
  test('become one with the highest severity, all sources, and each step once', () => {
    const { findings, aggregation } = united(
      finding({ resolution_steps: ['a', 'b'] }),
      probe({ id: 'hardcoded_path-00000001', severity: 'critical', resolution_steps: ['b', 'c'] }),
    );
    expect(findings).toEqual([
      finding({
        severity: 'critical',
        resolution_steps: ['a', 'b', 'c'],
        merged_with: ['config-discovery', 'scanner'],
      }),
    ]);
    expect(aggregation).toEqual({ total_before: 2, total_after: 1, deduped: 1, below_threshold: 0 });
  });

  test('are described by the most confident source, whatever the order', () => {
    const vague = finding({ source: 'explorer-memory', confidence: 0.8, description: 'a path', file: null });
    for (const order of [
      [vague, finding()],
      [finding(), vague],
    ])
      expect(united(...order).findings[0]).toMatchObject({
        description: 'Hardcoded path: /Users/zed/',
        file: 'config.toml',
        confidence: 1,
      });
  });
});

test('the same category in another file stays a finding of its own', () => {
  const { findings } = united(finding(), probe({ file: 'other.toml' }));
  expect(findings.map(({ id }) => id)).toEqual(['hardcoded_path-00000001', 'probe-1']);
});

describe('recommendations that contradict', () => {
  const { findings } = united(finding(), probe({ recommendation: 'Hardcode /opt/data as default' }));

  test('keep both findings, each naming the other', () => {
    expect(findings.map(({ id, conflicts_with }) => [id, conflicts_with])).toEqual([
      ['hardcoded_path-00000001', ['probe-1']],
      ['probe-1', ['hardcoded_path-00000001']],
    ]);
  });

  test('give the less confident one a step that says what to prefer', () => {
    expect(findings.map(({ resolution_steps }) => resolution_steps)).toEqual([
      [],
      ['Conflicts with hardcoded_path-00000001 (scanner): prefer "Use an environment variable".'],
    ]);
  });
});

describe('similar findings of different sources', () => {
  const words = 'one two three four five six seven eight nine ten'.split(' ');
  const described = (count: number): string =>
    [...words.slice(0, count), 'eleven', 'twelve', 'x', 'y', 'z'].slice(0, 10).join(' ');
  const about = (source: string, replace: Partial<Finding>): Finding =>
    finding({ source, confidence: 0.9, id: source, value: null, recommendation: '', ...replace });

  test.each([
    { shared: 8, left: 1 },
    { shared: 7, left: 2 },
  ])('with $shared of 10 words in common leave $left', ({ shared, left }) => {
    const first = about('env-scanner', { description: words.join(' ') });
    const second = about('config-discovery', { description: described(shared) });
    expect(united(first, second).findings).toHaveLength(left);
  });

  test('merge when they name the same value', () => {
    const { findings } = united(finding(), probe({ description: 'Something else', recommendation: '' }));
    expect(findings).toMatchObject([
      { id: 'hardcoded_path-00000001', merged_with: ['config-discovery', 'scanner'] },
    ]);
  });

  test('stay apart when one source gave both, or when merging is switched off', () => {
    expect(united(finding(), finding({ id: 'other' })).findings).toHaveLength(2);
    const separate = aggregate([finding(), probe({ recommendation: '' })], {
      ...options,
      aggregateSimilar: false,
    });
    expect(separate.findings).toHaveLength(2);
  });
});

test('two sources that did not end in time stay two findings', async () => {
  const reports = await runSources({ clock: createClock(), spawn: createSpawn(), env: {} } as never, {
    projectDir: '/',
    marker: 'test',
    sources: ['env-scanner', 'config-discovery'].map((name) => ({
      name,
      timeoutMs: 1,
      find: () => new Promise<never>(() => {}),
    })),
  });
  const { findings } = aggregate(
    reports.flatMap((report) => report.findings),
    { aggregateSimilar: true, minConfidence: 0.6 },
  );
  expect(findings.map(({ value }) => value).toSorted()).toEqual(['config-discovery', 'env-scanner']);
});

test('findings of explorers that are too unsure are left out and counted; others stay', () => {
  const { findings, aggregation } = united(
    finding({ id: 'a', source: 'explorer-memory', confidence: 0.5 }),
    finding({ id: 'b', source: 'added', confidence: 0.4, category: 'other' }),
  );
  expect(findings.map(({ id }) => id)).toEqual(['b']);
  expect(aggregation).toEqual({ total_before: 2, total_after: 1, deduped: 0, below_threshold: 1 });
});

const few = (...values: readonly string[]) => fc.constantFrom(...values);
const text = fc
  .array(few('use', 'env', 'var', 'path', 'lock', 'old'), { maxLength: 6 })
  .map((all) => all.join(' '));
const anyFinding: fc.Arbitrary<Finding> = fc
  .record({
    id: few('a-1', 'b-2', 'c-3', 'd-4', 'e-5', 'f-6'),
    severity: fc.constantFrom(...severities),
    category: few('hardcoded_path', 'stale_lock'),
    description: text,
    file: fc.option(few('a.ts', 'b.ts')),
    value: fc.option(few('/Users/zed/', '/home/al')),
    recommendation: text,
    resolution_steps: fc.array(few('one', 'two', 'three'), { maxLength: 3 }),
    source: few('scanner', 'env-scanner', 'config-discovery', 'explorer-memory', 'added'),
    confidence: fc.constantFrom(0.4, 0.5, 0.8, 0.9, 1),
  })
  .map((replace) => finding(replace));

describe('for any findings', () => {
  test('aggregating the answer again leaves every line as it is', () => {
    fc.assert(
      fc.property(fc.array(anyFinding, { maxLength: 14 }), (all) => {
        const once = aggregate(all, options).findings;
        expect(aggregate(once, options).findings.map((it) => JSON.stringify(it))).toEqual(
          once.map((it) => JSON.stringify(it)),
        );
      }),
      { numRuns: 600 },
    );
  });

  test('the order in which sources end does not show, and the totals add up', () => {
    fc.assert(
      fc.property(fc.array(anyFinding, { maxLength: 14 }), fc.nat(), (all, seed) => {
        const once = aggregate(all, options);
        const at = all.length === 0 ? 0 : seed % all.length;
        expect(aggregate([...all.slice(at), ...all.slice(0, at)].reverse(), options)).toEqual(once);
        const { total_before, total_after, deduped, below_threshold } = once.aggregation;
        expect(total_before - total_after).toBe(deduped + below_threshold);
        expect(total_after).toBe(once.findings.length);
      }),
      { numRuns: 400 },
    );
  });

  test('the record file reads back as it was written', () => {
    fc.assert(
      fc.property(fc.array(anyFinding, { maxLength: 8 }), (all) => {
        const { findings } = aggregate(all, options);
        const lines = scanLines({ metadata, findings });
        expect(parseScanFile(lines.join('\n'))).toEqual({ value: { metadata, findings }, problems: [] });
        expect(lines.filter((line) => line.includes('"busywork"'))).toHaveLength(10);
      }),
      { numRuns: 100 },
    );
  });
});

const metadata = {
  _type: 'metadata' as const,
  scan_timestamp: '2026-11-22T16:00:00+00:00',
  project_dir: '/work',
  worktree_type: 'main' as const,
  main_repo_root: '/work',
  sources: ['scanner'],
  durations_ms: { scanner: 3 },
  status: 'complete' as const,
  skipped_sources: [],
  skipped_files: { count: 0, first: [] },
  parse_errors: 0,
  counts: { critical: {}, high: {}, medium: {}, low: {} },
  aggregation: { total_before: 0, total_after: 0, deduped: 0, below_threshold: 0 },
  error: null,
  schema: 1 as const,
};
