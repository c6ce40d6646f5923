import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  formEnd,
  formItems,
  formQuestion,
  formTicked,
  openForm,
  turnForm,
} from '../../components/form/form-view.ts';
import { importPluginConfig } from '../../src/discovery/plugin/import-config.ts';
import { phrasesOf } from '../../src/session/guidance/change-guidance.ts';
import { noGuidance } from '../../src/session/guidance/guidance.ts';
import { guidanceEnd } from '../../src/session/guidance/guidance-form.ts';
import { createShell } from '../helpers/shell.ts';

test.each([
  [
    ['path:a', 'path:b'],
    ['path:a', 'path:b'],
  ],
  [
    ['command:git', 'push', 'path:src/gen/**'],
    ['command:git push', 'path:src/gen/**'],
  ],
  [['no', 'new', 'tests'], ['no new tests']],
  [
    ['no new tests', 'docs'],
    ['no new tests', 'docs'],
  ],
])('the words %j are the phrases %j', (words, phrases) => {
  expect(phrasesOf(words)).toEqual(phrases);
});

test.each([[''], [' '], ['path:'], ['path:src/gen/**', 'command: ']])(
  'the empty rule in %j is refused, and what came with it',
  async (...phrases) => {
    const { run, cwd } = createShell();
    expect((await run(['guidance', 'forbid', ...phrases], {}, '.')).code).toBe(2);
    expect(existsSync(join(cwd, '.ralph/guidance.yaml'))).toBe(false);
  },
);

test('a single phrase of the plugin that stands in no list is imported', () => {
  const text = JSON.stringify({
    version: '3.2.0',
    guidance: { forbidden: 'no tests', encouraged: ['speed'] },
  });
  const read = importPluginConfig(text, 'ralph-config.json');
  expect(read.ok && read.value.guidance).toMatchObject({ forbidden: ['no tests'], encouraged: ['speed'] });
});

const option = (id: string, phrase: string) =>
  ({ id, label: phrase, detail: '', phrase, severity: null, conflictsWith: [] }) as const;

test('"Change it" begins with what is stored ticked, also what no option says, and loses nothing of it', () => {
  const stored = {
    ...noGuidance,
    forbidden: ['one, and two', 'Docs', { path: 'gen/**' }],
    encouraged: ['Speed'],
  };
  const offers = {
    loop: false,
    stored,
    age: null,
    foreign: false,
    question: '',
    avoid: [option('busywork-docs', 'Docs'), option('busywork-lint', 'Lint')],
    prefer: [option('performance', 'Speed')],
  };
  const opened = openForm({ kind: 'guidance', offers });
  const changing = turnForm({ ...opened, cursor: 1 }, 'next');
  expect(formQuestion(changing)?.id).toBe('avoid');
  const ticked = formItems(changing)
    .filter(({ id }) => formTicked(changing)?.includes(id))
    .map(({ label }) => label);
  expect(ticked).toEqual(['one, and two', 'Docs']);
  /** The result when every later step is left as it is. */
  const resultOf = (overlay: typeof changing) => {
    let last = overlay;
    while (formEnd(last) === null) last = turnForm(last, 'next');
    return guidanceEnd(offers, formEnd(last) ?? {}).guidance;
  };
  expect(resultOf(changing)).toMatchObject({ guidance: stored, dropped: [] });
  expect(resultOf(turnForm({ ...changing, cursor: 1 }, 'toggle'))).toMatchObject({
    guidance: { forbidden: ['one, and two', { path: 'gen/**' }] },
  });
});
