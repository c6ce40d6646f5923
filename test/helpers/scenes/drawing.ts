import { isDrawn } from '../../../components/layout.ts';
import type { TestScreen } from '../screen.tsx';
import { createStory, type Story, task, twoSideBySide } from '../story.ts';
import type { Scene } from './scene.ts';

/** The Tasks pane as a drawn graph, where it is none by itself. */
const draw = async (screen: TestScreen): Promise<void> => {
  if (!isDrawn(screen.store.getState())) await screen.press('w');
};

type Edges = Readonly<Record<string, readonly string[]>>;

/** A planned session of these tasks; the first wave runs. */
const planned = (edges: Edges): Story =>
  createStory()
    .begin('Draw the work')
    .tasks(Object.entries(edges).map(([id, blockedBy]) => task(id, blockedBy)))
    .wave(
      1,
      Object.keys(edges).filter((id) => edges[id]?.length === 0),
    );

const chain = (): Story =>
  planned({ parse: [], check: ['parse'], compile: ['check'], link: ['compile'], ship: ['link'] })
    .starts('parse')
    .command('parse', 'make parse')
    .commandEnds('parse')
    .qualifies('parse')
    .wave(2, ['check'])
    .starts('check')
    .command('check', 'make check')
    .wait(42_000);

const fan = (): Story =>
  planned({
    schema: [],
    ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`page-${index + 1}`, ['schema']])),
  })
    .starts('schema')
    .command('schema', 'make schema');

const components = (): Story =>
  planned({
    'api-schema': [],
    'api-server': ['api-schema'],
    'api-client': ['api-schema'],
    'api-tests': ['api-server', 'api-client'],
    'docs-outline': [],
    'docs-text': ['docs-outline'],
    'docs-site': ['docs-text'],
    licence: [],
  }).starts('api-schema');

/** 40 tasks in seven waves, with edges over several waves. */
export const forty = (): Edges => {
  const edges: Record<string, readonly string[]> = {};
  let before: readonly string[] = [];
  let earlier: readonly string[] = [];
  for (const [wave, size] of [4, 8, 9, 8, 6, 3, 2].entries()) {
    const own = Array.from({ length: size }, (_, index) => `task-${Object.keys(edges).length + index + 1}`);
    own.forEach((id, index) => {
      const blockers = [before[Math.floor((index * before.length) / size)]];
      if (index % 3 === 1) blockers.push(before[Math.floor((index * before.length) / size) + 1]);
      if ((index + wave) % 7 === 3) blockers.push(earlier[index % Math.max(1, earlier.length)]);
      edges[id] = [...new Set(blockers.filter((each) => each !== undefined))];
    });
    earlier = before;
    before = own;
  }
  return edges;
};

const fortyUnderWay = (): Story => {
  const edges = forty();
  const first = ['task-1', 'task-2', 'task-3', 'task-4'];
  const story = planned(edges);
  for (const id of first) story.starts(id).command(id, 'make').commandEnds(id).qualifies(id);
  story.wave(
    2,
    Array.from({ length: 8 }, (_, index) => `task-${index + 5}`),
  );
  for (const id of ['task-5', 'task-6', 'task-7']) story.starts(id).command(id, 'make');
  return story.commandEnds('task-5').qualifies('task-5').wait(75_000);
};

const cycle = (): Story =>
  planned({
    init: [],
    parser: ['init', 'printer'],
    checker: ['parser'],
    printer: ['checker'],
    release: ['printer'],
    docs: ['init'],
  });

const wideCharacters = (): Story =>
  planned({
    スキーマ: [],
    英語: ['スキーマ'],
    ベトナム語: ['スキーマ'],
    サービス: ['英語', 'ベトナム語'],
    文書: ['スキーマ'],
  })
    .starts('スキーマ')
    .wait(5_000);

/** The tasks of the sample session: three are done, two at work, one of them with a question to a person. */
const atWork = (): Story =>
  planned({
    toolbox: [],
    schema: ['toolbox'],
    messages: ['toolbox'],
    catalogue: ['schema', 'messages'],
    text: ['catalogue'],
    html: ['catalogue'],
    notes: ['catalogue'],
    tests: ['text', 'html'],
    bundle: ['tests', 'notes'],
    farewell: ['bundle'],
  })
    .starts('toolbox')
    .command('toolbox', 'node tools/toolbox.js')
    .commandEnds('toolbox')
    .qualifies('toolbox')
    .wave(2, ['schema', 'messages'])
    .starts('schema')
    .command('schema', 'node tools/schema.js')
    .starts('messages')
    .command('messages', 'node tools/collect.js')
    .prints('messages', 'found messages/en.json\nfound messages/vi.json\n')
    .commandEnds('schema')
    .qualifies('schema')
    .wait(4_000);

/** The graph in the situations that issue 15 names. */
export const drawingScenes: readonly Scene[] = [
  { name: 'graph-chain', story: chain, act: draw },
  { name: 'graph-first', story: atWork },
  { name: 'graph-diamond', story: twoSideBySide, act: draw },
  { name: 'graph-fan', story: fan, act: draw },
  { name: 'graph-components', story: components, act: draw },
  { name: 'graph-40', story: fortyUnderWay, act: (screen) => screen.press('w', 'z') },
  { name: 'graph-40-pane', story: fortyUnderWay, act: draw },
  { name: 'graph-cycle', story: cycle, options: { connection: 'stopped' }, act: draw },
  { name: 'graph-wide-characters', story: wideCharacters, act: draw },
  {
    name: 'graph-cones',
    story: fortyUnderWay,
    act: (screen) => screen.press('w', 'z', 'l'),
  },
  { name: 'graph-cones-diamond', story: twoSideBySide, act: (screen) => screen.press('w', 'l') },
  { name: 'graph-folded', story: fortyUnderWay, act: (screen) => screen.press('w', 'z', 'F') },
  {
    name: 'graph-find',
    story: fortyUnderWay,
    act: async (screen) => {
      await screen.press('w', 'z', '/');
      await screen.type('task-3');
    },
  },
  {
    name: 'graph-ascii',
    story: twoSideBySide,
    options: { theme: { ascii: true } },
    act: (screen) => screen.press('w', 'l'),
  },
  { name: 'tasks-list', story: twoSideBySide, act: (screen) => screen.press('w', 'w') },
];
