import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importPluginConfig } from '../../src/discovery/plugin/import-config.ts';
import { phrasesOf } from '../../src/session/guidance/change-guidance.ts';
import { noGuidance } from '../../src/session/guidance/guidance.ts';
import { openWizard, turnWizard, wizardItems, wizardResultOf } from '../../src/store/overlays/wizard.ts';
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
  const opened = openWizard({
    loop: false,
    stored,
    age: null,
    foreign: false,
    question: '',
    avoid: [option('busywork-docs', 'Docs'), option('busywork-lint', 'Lint')],
    prefer: [option('performance', 'Speed')],
  } as never);
  const changing = turnWizard({ ...opened, cursor: 1 }, 'next');
  expect(changing.step).toBe('avoid');
  const ticked = wizardItems(changing)
    .filter(({ id }) => changing.chosen.avoid?.includes(id))
    .map(({ label }) => label);
  expect(ticked).toEqual(['one, and two', 'Docs']);
  expect(wizardResultOf(changing).guidance).toMatchObject(stored);
  expect(wizardResultOf(changing).dropped).toEqual([]);
  const without = turnWizard({ ...changing, cursor: 1 }, 'toggle');
  expect(wizardResultOf(without).guidance.forbidden).toEqual(['one, and two', { path: 'gen/**' }]);
});
