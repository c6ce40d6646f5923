import { expect, test } from 'vitest';
import {
  openPhase,
  planBoxes,
  tickChecked,
  tickSeen,
  withTicksOf,
} from '../../src/issues/documents/plan-boxes.ts';

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

test('a heading that says both words leaves its boxes to the person', () => {
  const text =
    '## Phase 1: a\nAutomated (no manual steps):\n- [ ] `npm test`\nautomated\n- [ ] tests\n- [ ] `x` then `y`\n';
  expect(planBoxes(text).map(({ manual, command }) => [manual, command])).toEqual([
    [true, null],
    [false, null],
    [false, 'x'],
  ]);
});

test('no tick of another version counts but those that were there', () => {
  expect(withTicksOf(plan('x', 'x'), plan(' ', ' '))).toBe(plan(' ', ' '));
  expect(withTicksOf(plan(' ', ' ', 'x'), plan('x', 'x'))).toBe(plan('x', 'x'));
  const weaker = plan('x', 'x').replace('npm test', 'true');
  expect(withTicksOf(weaker, plan('x', 'x'))).toBe(weaker.replace('[x] `true`', '[ ] `true`'));
  const moved = '## Phase 1: Store\nManual\n- [x] `npm test`\n';
  expect(withTicksOf(moved, plan('x', 'x'))).toBe(moved.replace('[x]', '[ ]'));
});

test('a person ticks what was seen in one phase, and the same words in another stay open', () => {
  expect(tickSeen(plan('x', ' '), 'Phase 1: Store', ['look'])).toBe(plan('x', 'x'));
  expect(tickSeen(plan(' ', ' '), 'Phase 1: Store', ['`npm test`', 'look'])).toBe(plan(' ', 'x'));
});

test('a command that passed ticks its boxes in its phase, and one that failed takes the tick away', () => {
  expect(tickChecked(plan(' ', ' '), 'Phase 1: Store', new Set(['npm test']))).toBe(plan('x', ' '));
  expect(tickChecked(plan('x', 'x', 'x'), 'Phase 1: Store', new Set())).toBe(plan(' ', 'x', 'x'));
});

test.each([
  '* [x] look',
  '+ [X] look',
  '1. [x] look',
  '12) [x] look',
  '-  [x]  look',
  '-\t[x]\tlook',
  '> - [x] look',
])('every item that is shown as a ticked box is one: %j', (item) => {
  const text = `## Phase 1: a\nManual\n${item}\n`;
  expect(planBoxes(text)).toMatchObject([{ manual: true, text: 'look', ticked: true }]);
  expect(withTicksOf(text, '')).toBe(text.replace(/\[[xX]\]/, '[ ]'));
});

test('a plan with Windows line ends has its boxes, and keeps its line ends', () => {
  const text = plan(' ', ' ').replaceAll('\n', '\r\n');
  expect(planBoxes(text)).toEqual(planBoxes(plan(' ', ' ')));
  expect(tickSeen(text, 'Phase 1: Store', ['look'])).toBe(plan(' ', 'x').replaceAll('\n', '\r\n'));
});
