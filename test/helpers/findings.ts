import type { Finding } from '../../src/discovery/records/finding.ts';

/** A finding of the scanner, with what a test says about it. */
export const finding = (replace: Partial<Finding> = {}): Finding => ({
  _type: 'constraint',
  id: 'hardcoded_path-00000001',
  severity: 'high',
  category: 'hardcoded_path',
  description: 'Hardcoded path: /Users/zed/',
  file: 'config.toml',
  line: 3,
  value: '/Users/zed/',
  occurrences: 1,
  locations: [{ file: 'config.toml', line: 3 }],
  recommendation: 'Use an environment variable',
  resolution_steps: [],
  tags: [],
  affected_scope: null,
  source: 'scanner',
  confidence: 1,
  merged_with: [],
  conflicts_with: [],
  linked_from: null,
  ...replace,
});
