import { describe, expect, onTestFinished, test } from 'vitest';
import { tones } from '../../components/draw/palettes.ts';
import { createTheme } from '../../components/draw/theme.ts';
import { scenes } from '../helpers/scenes/index.ts';
import { goldenSizes, openScene } from '../helpers/scenes/scene.ts';
import { expectGolden } from '../helpers/screen.tsx';

const theme = { colours: 'true', ascii: false, background: 'dark' } as const;
const { codes, grounds } = createTheme(theme);
const letters = { text: '.', secondary: 's', furniture: '_', now: 'n', 'needs-you': 'Y', done: 'd' };
const others = { failed: 'F', held: 'h', accent: 'a', chain: 'c' };
const letterOf = new Map(tones.map((tone) => [codes[tone], { ...letters, ...others }[tone]]));

/** Each character of a styled frame as the letter of its tone, `?` for another colour; behind a row where its selection lies. */
const tonesOf = (frame: string): readonly string[] =>
  frame.split('\n').map((row) => {
    let letter = '.';
    let ground = '';
    let drawn = '';
    let lit = '';
    for (const [, sgr, text = ''] of row.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
      if (sgr !== undefined) {
        const colour = /38;2;\d+;\d+;\d+/.exec(sgr)?.[0];
        letter = colour === undefined ? '.' : (letterOf.get(colour) ?? '?');
        ground = sgr.includes(grounds.selection)
          ? 'selection'
          : sgr.includes(grounds['selection-weak'])
            ? 'weak'
            : '';
      }
      drawn += text.replace(/\S/gu, letter);
      if (ground !== '') lit = ground;
    }
    return `${drawn.trimEnd()}${lit === '' ? '' : ` <${lit}>`}`;
  });

const named = (name: string) => {
  const scene = scenes.find((each) => each.name === name);
  if (scene === undefined) throw new Error(`there is no scene ${name}`);
  return scene;
};

/** The scenes of components/README.md, Colour. */
const shown = [
  ...['start', 'graph-first', 'two-side-by-side', 'permission', 'needs-you', 'plan-gate', 'changes-review'],
  ...['merge-conflict', 'end-with-lessons', 'end', 'end-success', 'timeline', 'processed', 'queue'],
].filter((name) => scenes.some((scene) => scene.name === name));

test.each(shown)('%s has its tones', async (name) => {
  const screen = await openScene(named(name), { columns: 120, rows: 36, theme });
  onTestFinished(screen.unmount);
  expectGolden(`tones/${name}.120x36`, tonesOf(screen.styled().ours).join('\n'));
});

/** What lies behind a box is furniture by rule, so only scenes with nothing behind theirs are counted. */
const counted = [
  ...[
    'two-side-by-side',
    'graph-first',
    'output-blocks',
    'output-words',
    'processed',
    'timeline',
    'team',
    'issues',
  ],
  ...['start', 'plan-gate', 'permission-long', 'merge-conflict', 'end', 'end-success'],
];

describe.each(goldenSizes)('at %ix%i', (columns, rows) => {
  test.each(counted)(
    '%s is secondary or furniture in at most two fifths, and nothing is faint',
    async (name) => {
      const screen = await openScene(named(name), { columns, rows, theme });
      onTestFinished(screen.unmount);
      const frame = screen.styled().ours;
      expect(frame).not.toMatch(/\u001b\[(?:[\d;]*;)?2m/);
      const drawn = tonesOf(frame)
        .join('')
        .replace(/<\w+>| /g, '');
      const calm = drawn.replace(/[^s_]/g, '').length;
      expect(calm / drawn.length).toBeLessThanOrEqual(0.4);
    },
  );
});
