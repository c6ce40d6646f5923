import { expect, onTestFinished, test } from 'vitest';
import { createTheme } from '../../components/draw/theme.ts';
import { openTalkOverlay } from '../../components/talk/talk-view.ts';
import type { Entry } from '../../src/skills/talk/entry.ts';
import { emptyTalk, tell } from '../../src/skills/talk/talk.ts';
import { sampleTalk } from '../helpers/sample-talk.ts';
import { openScene } from '../helpers/scenes/scene.ts';
import { talkScenes } from '../helpers/scenes/talk.ts';
import { expectGolden, openScreen } from '../helpers/screen.tsx';

test.each(talkScenes)('$name looks as it did at 160x45', async (scene) => {
  const screen = await openScene(scene, { columns: 160, rows: 45 });
  onTestFinished(screen.unmount);
  expectGolden(`${scene.name}.160x45`, screen.frame());
});

const openTalk = async (columns = 120) => {
  const screen = await openScreen({ connection: 'stopped', columns, rows: 36 });
  onTestFinished(screen.unmount);
  screen.store.act({ type: 'overlay-opened', overlay: openTalkOverlay(sampleTalk, 'Sample') });
  await screen.settle();
  return screen;
};

test('the option under the cursor answers, and typed words go before it', async () => {
  const screen = await openTalk();
  await screen.press('\u001b[B', '\r');
  expect(screen.intents.at(-1)).toEqual({ type: 'talk-answered', question: 'b', answer: '2' });
  await screen.type('only on a phone');
  await screen.press('\r');
  expect(screen.intents.at(-1)).toEqual({ type: 'talk-answered', question: 'b', answer: 'only on a phone' });
  await screen.type('9');
  await screen.press('\r');
  expect(screen.intents).toHaveLength(2);
  expect(screen.frame()).toContain('"9" is not a number from 1 to 4.');
});

test('the chosen option has the background of a selection under its whole row, also where it takes several', async () => {
  const theme = { colours: 'true', ascii: false, background: 'dark' } as const;
  const screen = await openScreen({ connection: 'stopped', columns: 80, rows: 36, theme });
  onTestFinished(screen.unmount);
  const detail = 'Translators add a file and touch no code, but there are more files to load.';
  const options = ['a table', 'a file'].map((label) => ({ id: label, label, detail }));
  const question = {
    id: 'q',
    kind: 'choice',
    text: 'Where?',
    help: '',
    offered: '',
    optional: false,
  } as const;
  screen.store.act({ type: 'overlay-opened', overlay: openTalkOverlay(sampleTalk, 'Sample') });
  const asked = tell(sampleTalk, { type: 'asked', question: { ...question, options } });
  screen.store.act({ type: 'talk-shown', talk: asked });
  await screen.press('\u001b[B');
  const { grounds } = createTheme(theme);
  const lit = screen
    .styled()
    .ours.split('\n')
    .flatMap((row) => {
      const pieces = [...row.matchAll(/\u001b\[([\d;]*)m([^\u001b]*)/g)];
      const selected = pieces.filter(([, sgr = '']) => sgr.includes(grounds.selection));
      return selected.length === 0 ? [] : [selected.map(([, , text]) => text).join('')];
    });
  expect(lit.map((row) => row.length)).toEqual([80, 80]);
  expect(lit.join('')).toContain(' ▌1 a table');
});

test.each([
  ['choice', []],
  ['choices', [{ type: 'talk-answered', question: 'p', answer: '' }]],
] as const)(
  'a permission or a box to tick (%s) begins at no option: the key that answers does not give it',
  async (kind, skipped) => {
    const screen = await openTalk();
    const question = {
      id: 'p',
      kind,
      text: 'May the agent do this?',
      help: 'rm -rf x',
      options: [{ id: 'allow', label: 'yes, once', detail: '' }],
      offered: '',
      optional: kind === 'choices',
    } as const;
    screen.store.act({
      type: 'talk-shown',
      talk: tell(sampleTalk, { type: 'asked', question: { ...question, options: [...question.options] } }),
    });
    await screen.press('\r');
    expect(screen.intents).toEqual(skipped);
    await screen.type('1');
    await screen.press('\r');
    expect(screen.intents.at(-1)).toEqual({ type: 'talk-answered', question: 'p', answer: 'allow' });
  },
);

test('an answer of several lines names the key that begins a new one', async () => {
  const screen = await openTalk(80);
  const question = {
    id: 'c',
    kind: 'lines' as const,
    text: 'How will you know that it is done?',
    help: 'One criterion per line.',
    options: [],
    offered: '',
    optional: false,
  };
  screen.store.act({ type: 'talk-shown', talk: tell(sampleTalk, { type: 'asked', question }) });
  await screen.settle();
  expect(screen.frame()).toContain('ctrl-j starts a new line.');
  await screen.type('a');
  await screen.press('\n');
  await screen.type('b');
  await screen.press('\r');
  expect(screen.intents.at(-1)).toEqual({ type: 'talk-answered', question: 'c', answer: 'a\nb' });
});

test.each([
  ['abc', 3],
  ['abcdef', 1],
])(
  'answers that are longer than their row are read whole at 80x24, or the chosen one: of %s %i',
  async (ids, wholes) => {
    const screen = await openScreen({ connection: 'stopped', columns: 80, rows: 24 });
    onTestFinished(screen.unmount);
    screen.store.act({ type: 'overlay-opened', overlay: openTalkOverlay(sampleTalk, 'Sample') });
    const long = 'Easy to read on every screen, with a table of the keys and a sentence for each one';
    const question = {
      id: 'q',
      kind: 'choice' as const,
      text: 'What matters most?',
      help: '',
      options: [...ids].map((id) => ({ id, label: `${long} (${id})`, detail: '' })),
      offered: '',
      optional: false,
    };
    screen.store.act({ type: 'talk-shown', talk: tell(sampleTalk, { type: 'asked', question }) });
    await screen.press('\u001b[B');
    expect([...screen.frame().matchAll(/\([a-f]\)/g)]).toHaveLength(wholes);
  },
);

test('a permission of many lines can be read whole before it is answered, at 80x24 too', async () => {
  const screen = await openScreen({ connection: 'stopped', columns: 80, rows: 24 });
  onTestFinished(screen.unmount);
  screen.store.act({ type: 'overlay-opened', overlay: openTalkOverlay(sampleTalk, 'Sample') });
  await screen.press('\t');
  const lines = Array.from({ length: 40 }, (_, at) => `+ line ${at} of the file`);
  const question = {
    id: 'p',
    kind: 'choice' as const,
    text: 'May the agent do this? edit',
    help: lines.join('\n'),
    options: [{ id: 'allow', label: 'yes, once', detail: '' }],
    offered: '',
    optional: false,
  };
  screen.store.act({ type: 'talk-shown', talk: tell(sampleTalk, { type: 'asked', question }) });
  await screen.settle();
  const seen = new Set<string>();
  for (let page = 0; page < 8; page += 1) {
    for (const [line] of screen.frame().matchAll(/\+ line \d+ of the file/g)) seen.add(line);
    await screen.press('\u001b[5~');
  }
  expect([...seen].sort()).toEqual([...lines].sort());
  expect(screen.frame()).toContain('40 lines above; PgUp and PgDn scroll.');
});

test('what agents and files say changes nothing on the screen but their own words', async () => {
  const screen = await openTalk();
  const evil = 'a\u001b]52;c;x\u0007\u001b[2Jb';
  const talk: readonly Entry[] = [
    { type: 'started', skill: evil, argument: evil, mode: 'agent', agent: null, at: '' },
    { type: 'said', by: 'agent', text: evil },
    { type: 'tool', id: '1', title: evil, status: 'done' },
    { type: 'drafted', text: `# ${evil}`, problems: [evil] },
    {
      type: 'asked',
      question: {
        id: 'q',
        kind: 'words',
        text: evil,
        help: evil,
        options: [{ id: '1', label: evil, detail: evil }],
        offered: '',
        optional: false,
      },
    },
  ];
  screen.store.act({ type: 'talk-shown', talk: talk.reduce(tell, emptyTalk) });
  await screen.settle();
  expect(screen.frame()).not.toMatch(/\]52;|\[2J/);
  expect(screen.frame()).toContain('ab');
});

test('a document that is longer than its pane names the keys that show the rest', async () => {
  const screen = await openTalk();
  const text = Array.from({ length: 60 }, (_, index) => `- point ${index}`).join('\n');
  screen.store.act({ type: 'talk-shown', talk: tell(sampleTalk, { type: 'drafted', text, problems: [] }) });
  await screen.settle();
  expect(screen.frame()).toMatch(/\d+ more lines · Tab, then PgDn/);
  await screen.press('\t');
  expect(screen.frame()).toMatch(/\d+ more lines · PgDn/);
  for (let page = 0; page < 9; page += 1) await screen.press('\u001b[6~');
  expect(screen.frame()).toContain('point 59');
  expect(screen.frame()).not.toContain('more line');
});

test('the details of options stand in one column, and a long one continues below', async () => {
  const screen = await openTalk(80);
  const option = (id: string, label: string, detail: string) => ({ id, label, detail });
  const question = {
    id: 'p',
    kind: 'choice',
    text: 'Where should the greetings be kept?',
    help: '',
    options: [
      option('1', 'a table of greetings', 'One small file. Each new language is a code change.'),
      option('2', 'a file for each language', 'Translators add a file.'),
      option('3', 'end the conversation', ''),
    ],
    offered: '1',
    optional: false,
  } as const;
  screen.store.act({ type: 'talk-shown', talk: tell(sampleTalk, { type: 'asked', question }) });
  await screen.settle();
  expect(screen.rows().map((row) => row.trimEnd())).toEqual(
    expect.arrayContaining([
      ' ▌1 a table of greetings      One small file. Each new language is a code',
      ' ▌                            change.',
      '  2 a file for each language  Translators add a file.',
      '  3 end the conversation',
    ]),
  );
});
