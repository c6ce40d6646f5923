import { expect, test } from 'vitest';
import { missingFiles } from '../../src/skills/documents/plan-files.ts';

const plan = (...lines: readonly string[]): string =>
  `# P\n\n## Phase 1: a\n\n${lines.join('\n')}\n\n## Phase 2: b\n\nChange \`src/other.ts:1\`.\n`;

test('a phase names files that are there, and not those that it makes or runs', () => {
  const text = plan(
    'Change `src/a.ts:3-9` and `src/b.ts`.',
    'Create `src/new.ts`.',
    'Look at `a.ts`, `/etc/passwd.txt`, `../x/y.ts` and `npm test`.',
    '- [ ] `test/c.sh`',
  );
  expect(missingFiles(text, 'Phase 1: a', (path) => path === 'src/b.ts')).toEqual(['src/a.ts']);
  expect(missingFiles(text, 'Phase 3', () => false)).toEqual([]);
});
