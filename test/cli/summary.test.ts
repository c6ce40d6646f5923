import { expect, test } from 'vitest';
import { inBackground } from '../../src/cli/report/summary.ts';
import { sessionPaths } from '../../src/session/paths.ts';

test('what is to be typed next can be typed in a workspace of any name', () => {
  const said = (workspace: string) => inBackground(sessionPaths(workspace, '260215-101500'), 7);
  expect(said("/work/Anna's plans")).toContain(
    "cd '/work/Anna'\\''s plans' && ralph-tui attach 260215-101500",
  );
  expect(said('/work/plans')).toContain('cd /work/plans && ralph-tui attach 260215-101500');
});
