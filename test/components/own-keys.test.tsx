import { describe, expect, onTestFinished, test } from 'vitest';
import { type Command, contextsOf } from '../../components/command.ts';
import { commands } from '../../components/commands.ts';
import { bind, bindingsOf } from '../../components/keys/bindings.ts';
import { isField } from '../../components/keys/edit-keys.ts';
import { keyLabel } from '../../components/keys/key-label.ts';
import { tabNames } from '../../components/panes.ts';
import { footerHints } from '../../components/table.ts';
import { scenes } from '../helpers/scenes/index.ts';
import { openScene } from '../helpers/scenes/scene.ts';
import { isLongForm } from '../helpers/test-form.ts';

/** Every command has another key, and one that stands in no frame: a Canadian syllable. */
const keyOf = ({ context }: Command, index: number): string =>
  `${isField(context) ? 'alt-' : ''}${String.fromCharCode(0x1401 + index)}`;
const ownKeys = Object.fromEntries(commands.map((command, index) => [command.id, keyOf(command, index)]));

/** Keys of the table that could be read in a text: letters and names. Digits and signs stand for too much else. */
const letters = [...new Set(commands.flatMap(({ keys }) => keys.map(keyLabel)))].filter((key) =>
  /^[a-z!?/]|[A-Za-z]{2}/i.test(key),
);

/** What looks like a key and is none: the article, seconds and hours, signs of tasks and issues, their sizes, words that a frame cuts off. */
const wordsOf = (line: string): string =>
  line
    .replace(/(?<= )[Aa] (?!approve)/g, '')
    .replace(/\d [sh]\b/g, '')
    .replace(/ (?:XS|S|M|L|XL) *(?=│|$)/g, ' ')
    .replace(/(?<=[╭│╰ ]) \? (?=\d)/g, ' ')
    .replace(/(?<=[│┃▌] ?)\? (?=\w)|\? (?=asks you)/g, '')
    .replace(/(?:^|(?<=[|#] ?))[ >|`#:=▌├└┝┕┆]+ [xo?] /g, '')
    .replace(/ \w(?= ?[╭│╰])/g, ' ')
    .replace(/(?<=│ )\w\s*$/, '')
    // The sign of running work behind its name in a bar.
    .replace(/(?<=~ )\/\s*$/, '')
    .replace(/ (?:S steer|x failed|S (?=\d:\d\d))/g, ' ');

const staleIn = (line: string): readonly string[] => {
  // A sign within a word, as in the file b.md, does not end it.
  const words = new Set(
    wordsOf(line)
      .replace(/[()[\]│╭╮─━;]|[.,:](?=\s|$)/g, ' ')
      .split(' '),
  );
  const keys = letters.filter((key) => words.has(key)).map((key) => `${key} in ${line.trim()}`);
  const tab = new RegExp(`(?<!\\w )\\b[1-9] (?:${tabNames.join('|')}|inbox|processed)\\b`, 'i').exec(
    line,
  )?.[0];
  return tab === undefined ? keys : [...keys, tab];
};

test('every command can have such a key', () => {
  expect(bind(ownKeys).problems).toEqual([]);
});

/** Below the width of a third column, whose words an overlay cuts into single letters. */
const sizes: readonly (readonly [columns: number, rows: number])[] = isLongForm
  ? [
      [80, 24],
      [150, 50],
    ]
  : [[150, 50]];

describe.each(sizes)('with own keys for every command, at %i×%i', (columns, rows) => {
  test.each(scenes)('$name names no other key', async (scene) => {
    const screen = await openScene(scene, { columns, rows });
    onTestFinished(screen.unmount);
    screen.store.act({ type: 'preferred', change: { keys: ownKeys } });
    await screen.settle();
    // What an agent printed or a file holds is none of ours.
    const ours = screen
      .rows()
      .filter(
        (line) =>
          !/Add a …|Add a language|Every greeting has a|not ok 2|\[x\] (?:TASK_COMPLETE|leaving while)|\/ (?:english|vietnamese)/.test(
            line,
          ),
      );
    expect(ours.flatMap(staleIn)).toEqual([]);
    const view = screen.store.getState();
    const named = footerHints(view).map(({ id }) => bindingsOf(view).commands.find((each) => each.id === id));
    expect(
      named.every((command) => command !== undefined && contextsOf(view).includes(command.context)),
    ).toBe(true);
    const signs = [...screen.frame().matchAll(/(?:alt-)?[\u1401-\u167f]/g)].map(([key]) => key);
    expect(signs.filter((key) => !Object.values(ownKeys).includes(key))).toEqual([]);
  });
});

test('the check finds keys where they are not rebound', async () => {
  const missing = new Set(['p', 's', 'q', '?', 'Esc', 'Enter', 'Tab', 'G', 'd', 'f', 'R', 'u']);
  for (const scene of scenes) {
    if (missing.size === 0) break;
    const screen = await openScene(scene, { columns: 120, rows: 36 });
    for (const stale of screen.rows().flatMap(staleIn)) missing.delete(stale.split(' ')[0] ?? '');
    screen.unmount();
  }
  expect([...missing]).toEqual([]);
});
