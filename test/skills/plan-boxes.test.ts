import { expect, test } from 'vitest';
import { openPhase, planBoxes, tickManual, withOwnTicks } from '../../src/skills/documents/plan-boxes.ts';

const plan = (first: string, manual: string, second = ' '): string =>
  `# P\n\n## Overview\n- [ ] no criterion\n\n## Phase 1: Store\n\n**Automated**\n- [${first}] \`npm test\`\n\n**Manual**\n- [${manual}] look\n\n## Phase 2: Read\n\n### Automated\n- [${second}] \`npm test\`\n### Manual\n- [ ] look\n`;

test('boxes belong to their phase, and those below "manual" to the person', () => {
  expect(planBoxes(plan('x', ' ')).map(({ phase, manual, ticked }) => [phase, manual, ticked])).toEqual([
    ['Phase 1: Store', false, true],
    ['Phase 1: Store', true, false],
    ['Phase 2: Read', false, false],
    ['Phase 2: Read', true, false],
  ]);
});

test('the first phase with an open box is the open one', () => {
  expect([plan(' ', ' '), plan('x', ' '), plan('x', 'x')].map(openPhase)).toEqual([
    'Phase 1: Store',
    'Phase 1: Store',
    'Phase 2: Read',
  ]);
  expect(openPhase('# no plan')).toBeNull();
});

test('an agent ticks automated boxes only, and takes no tick of the person away', () => {
  expect(withOwnTicks(plan('x', 'x'), plan(' ', ' '))).toBe(plan('x', ' '));
  expect(withOwnTicks(plan('x', ' ', 'x'), plan('x', 'x'))).toBe(plan('x', 'x', 'x'));
});

test('a person ticks what was seen in one phase, and the same words in another stay open', () => {
  expect(tickManual(plan('x', ' '), 'Phase 1: Store', ['look'])).toBe(plan('x', 'x'));
});
