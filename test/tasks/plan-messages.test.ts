import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/tasks/plan-file.ts';

const tasks = 'tasks:\n  - {id: a, title: A, run: ["true"]}\n';
const said = (text: string, file: string): readonly string[] => {
  const read = parsePlan(text, file);
  return read.ok ? [] : read.faults.map(({ where, what, hint = '' }) => `${where}: ${what}; ${hint}`);
};

describe('a plan with a text that needs quotes says which, and how it is written', () => {
  test.each([
    ['goal: Fix: the login', 'put the text in quotes: goal: "Fix: the login"'],
    ['goal: @kim asks', 'put the text in quotes: goal: "@kim asks"'],
    ['goal: `x` fails', 'put the text in quotes: goal: "`x` fails"'],
    ['goal: "a" b', `put the text in quotes: goal: '"a" b'`],
    ['goal: [x] done', 'put the text in quotes: goal: "[x] done"'],
    ['goal: 50%: enough', 'put the text in quotes: goal: "50%: enough"'],
    ['goal: "C:\\dir"', 'use single quotes'],
    ['goal: x\n  more: y', 'write the key with `|` and the text of several lines below it'],
  ])('%s', (goal, hint) => {
    const [first = ''] = said(`${goal}\n${tasks}`, 'plan.yaml');
    expect(first).toContain('plan.yaml:1: ');
    expect(first).toContain(hint);
    expect(first).not.toMatch(/implicit|compact|node end|scalar/);
  });

  test('in a task, and in braces', () => {
    expect(said('goal: g\ntasks:\n  - id: a\n    title: Fix: it\n', 'p.yaml')[0]).toContain(
      'p.yaml:4: the text after the first colon contains another one; put the text in quotes: title: "Fix: it"',
    );
    expect(said('goal: g\ntasks:\n  - {id: a, title: Fix: it, run: ["true"]}\n', 'p.yaml')[0]).toContain(
      'p.yaml:3: a text in braces contains a colon; put the text in quotes: title: "Fix: it"',
    );
    expect(said('goal: g\ntasks:\n  - {id: a, title: A, run: [echo "a: b"]}\n', 'p.yaml').join()).toContain(
      'put a text with a colon in quotes; known keys: cmd',
    );
  });
});

test.each([
  ['TODO.md', '# Todo\n- [ ] a\n- [ ] b\n'],
  ['plan.md', '# Plan\n\nDo this: now\n'],
  ['todo', '# Todo\n\nwords here\n'],
  ['PLAN', 'intro\n\n1. [ ] one\n'],
])('Markdown as a plan (%s) is named, with the way to use it', (file, text) => {
  expect(said(text, file)).toEqual([
    `${file}: this is Markdown, and a plan is YAML or JSON; work through Markdown with \`ralph-tui run --mode loop --focus ${file}\``,
  ]);
});

test('user stories as a plan are named, and a plan with comments or another name is none of these', () => {
  expect(said('{"userStories": []}', 'prd.json')[0]).toContain(
    '`ralph-tui run --mode hero --tracker prd:prd.json`',
  );
  expect(said(`# Plan\n\n# of today\ngoal: g\n${tasks}`, 'plan.md')).toEqual([]);
});
