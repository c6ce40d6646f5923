import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { fillInLines } from '../../src/cli/ask-in-lines.ts';
import { createTypedLines } from '../../src/cli/typed-lines.ts';
import type { Form } from '../../src/session/forms/form.ts';
import { noGuidance } from '../../src/session/guidance/guidance.ts';
import { guidanceEnd, guidanceForm } from '../../src/session/guidance/guidance-form.ts';
import { setupForm } from '../../src/session/setup/setup-form.ts';
import { setupOffers } from '../helpers/scenes/setup.ts';
import { createTestCli } from '../helpers/test-cli.ts';

/** Fills a form in with these lines, each typed once its question is there. */
const fill = async (form: Form, ...typed: readonly string[]) => {
  const stdin = new PassThrough();
  const printed: string[] = [];
  const prompts: string[] = [];
  const write = (text: string): boolean => {
    const line = typed[prompts.push(text.trim()) - 1];
    if (line === undefined) stdin.end();
    else stdin.write(`${line}\n`);
    return true;
  };
  const cli = createTestCli({
    stdin: stdin as never,
    typed: createTypedLines(stdin),
    print: (text) => printed.push(text),
    stderr: { write } as never,
  });
  return { answers: await fillInLines(cli, form), printed, prompts };
};

const option = (id: string, severity: 'high' | 'low' | null = null) =>
  ({ id, label: `The ${id}`, detail: '', phrase: `No ${id}`, severity, conflictsWith: [] }) as const;

const offers = {
  loop: false,
  stored: noGuidance,
  age: null,
  foreign: false,
  question: 'What should the agents avoid?',
  avoid: [option('path', 'high'), option('tab', 'low'), option('docs')],
  prefer: [option('speed')],
};

test('findings of low severity are folded until asked for, and come after the others, whose numbers stay', async () => {
  const { answers, printed, prompts } = await fill(guidanceForm(offers), 'low', '1 3', '', '', '', '');
  expect(prompts[0]).toBe('(numbers, empty skips, "low" shows 1 more low-severity findings)');
  expect(printed.slice(0, 4)).toEqual(['', 'What should the agents avoid?', '1  The path', '2  The docs']);
  expect(printed.slice(4, 9)).toEqual([
    '',
    'What should the agents avoid?',
    '1  The path',
    '2  The docs',
    '3  The tab',
  ]);
  expect(answers).toEqual({ avoid: 'path\ntab' });
  expect(guidanceEnd(offers, answers ?? {}).guidance).toMatchObject({
    guidance: { forbidden: ['No path', 'No tab'], encouraged: [] },
  });
});

test('who changes stored guidance in lines sees it marked, keeps it with an empty answer, and drops it with -', async () => {
  const stored = { ...noGuidance, forbidden: ['No tab', 'Weekends'], encouraged: ['No speed'] };
  const changing = { ...offers, stored };
  const kept = await fill(guidanceForm(changing), '2', '', '', '', '', 'y');
  expect(kept.printed).toContain('1  Weekends  (chosen)');
  expect(kept.prompts[1]).toBe(
    '(numbers, empty takes these, - for none, "low" shows 1 more low-severity findings)',
  );
  expect(guidanceEnd(changing, kept.answers ?? {}).guidance).toMatchObject({
    guidance: { forbidden: ['Weekends', 'No tab'], encouraged: ['No speed'] },
    dropped: [],
  });
  const none = await fill(guidanceForm(changing), '2', '-', '', '', '', 'y');
  expect(guidanceEnd(changing, none.answers ?? {}).guidance).toMatchObject({
    dropped: ['No tab', 'Weekends'],
  });
});

test('guidance that came with the repository is accepted by a number alone', async () => {
  const foreign = { ...offers, foreign: true, stored: { ...noGuidance, forbidden: ['Weekends'] } };
  const { answers, printed } = await fill(guidanceForm(foreign), '', '1');
  expect(printed).toContain('1 to avoid, 0 to prefer, no effect until you accept it');
  expect(printed).toContain('Choose a number from 1 to 2.');
  expect(guidanceEnd(foreign, answers ?? {}).guidance).toBe('accepted');
});

test('init in lines says why an answer cannot be used, takes what is offered, and shows all of it before it writes', async () => {
  const lines = ['2', '', '', 'opus', 'planner=opus', '', '', '', '-', '3', '', '', 'yes'];
  const { answers, printed, prompts } = await fill(setupForm(setupOffers), ...lines);
  expect(prompts[1]).toBe('(a number, empty takes "codex")');
  expect(printed).toContainEqual(expect.stringMatching(/^"opus" is not ROLE=NAME: the roles are planner/));
  expect(printed).toContain('  worktree.setup: npm ci');
  expect(answers).toMatchObject({ agent: 'codex', models: 'planner=opus', install: 'npm ci', verify: '' });
  expect(answers).toMatchObject({ tracker: 'markdown', plan_review: 'human', auto_merge: 'no' });
});

test.each([
  ['q', ['1', 'q']],
  ['the end of the input', ['1']],
  ['no at the end', ['1', ...Array.from({ length: 10 }, () => ''), 'n']],
])('%s leaves a form without an answer', async (_, lines) => {
  expect((await fill(setupForm(setupOffers), ...lines)).answers).toBeNull();
});
