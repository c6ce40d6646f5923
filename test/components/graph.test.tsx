import { afterEach, expect, test } from 'vitest';
import { createTheme } from '../../components/draw/theme.ts';
import { selectLayout } from '../../components/layout.ts';
import { selectGraph } from '../../components/tasks/select-graph.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { createStory, task, twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const open = async (options: ScreenOptions = {}): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 120, rows: 36, story: twoSideBySide(), ...options });
  screens.push(screen);
  return screen;
};

const chosen = ({ store }: TestScreen): string | null => store.getState().ui.selected.tasks;

test('w shows the tasks as waves, as a graph and as a list', async () => {
  const screen = await open();
  expect(screen.frame()).toContain('Level 2');
  await screen.press('w');
  expect(screen.frame()).toMatch(/│ ▸ vietnamese +0:18 │/);
  await screen.press('w');
  expect(screen.frame()).not.toMatch(/Level 2|╭/);
  await screen.press('w');
  expect(screen.frame()).toContain('Level 2');
});

test('h j k l walk along the edges and between neighbours', async () => {
  const screen = await open();
  await screen.press('w', 'l');
  expect(chosen(screen)).toBe('vietnamese');
  await screen.press('k');
  expect(chosen(screen)).toMatch(/^(?:init|schema)$/);
  await screen.press('j', 'j');
  expect(chosen(screen)).toBe('service');
  await screen.press('h');
  expect(chosen(screen)).toBe('service');
  await screen.press('G');
  expect(chosen(screen)).toBe('release');
});

test.each(['english', 'vietnamese'])(
  'steps along edges keep the row they began in, as an editor keeps the column: there and back is %s again',
  async (began) => {
    const screen = await open();
    await screen.press('w');
    screen.store.act({ type: 'task-looked-for', text: began, by: 0 });
    await screen.press('j');
    expect(chosen(screen)).toBe('service');
    await screen.press('k');
    expect(chosen(screen)).toBe(began);
  },
);

test('a step sideways says where it has a meaning', async () => {
  const screen = await open();
  await screen.press('h');
  expect(screen.frame()).toContain(
    'You can move left and right only in the graph, in Timeline and in Changes',
  );
});

test('/ finds a task while it is typed, and n goes to the next one', async () => {
  const screen = await open();
  await screen.press('w', '/');
  await screen.type('re');
  expect(screen.frame()).toContain('Find a task: re');
  const first = chosen(screen);
  await screen.press('enter', 'n');
  expect(chosen(screen)).not.toBe(first);
  await screen.press('N');
  expect(chosen(screen)).toBe(first);
});

test('F folds the finished parts, and Enter on them unfolds', async () => {
  const screen = await open();
  await screen.press('w', 'F');
  expect(screen.frame()).toContain('✓ 2 done');
  await screen.press('g', 'enter');
  expect(screen.frame()).toContain('✓ schema');
  expect(screen.frame()).not.toContain('2 done ');
});

test('the names in a fold are broken between them, not in them', async () => {
  const ids = ['research-2', 'research-3'] as const;
  const story = createStory()
    .begin()
    .tasks([...ids.map((id) => task(id)), task('plan', ids, { title: 'Write the plan of both' })])
    .wave(1, ids);
  for (const id of ids) story.starts(id).command(id, 'make').commandEnds(id).qualifies(id);
  const screen = await open({ story });
  await screen.press('F');
  expect(screen.frame()).toMatch(/✓ 2 done [^\n]*\n[^\n]*┃ {3}research-2\W/);
});

test('a fold counts the tasks that are done, not those that were cancelled', async () => {
  const story = diamond().starts('seed').command('seed', 'make').commandEnds('seed').qualifies('seed');
  for (const id of ['left', 'right']) story.add({ type: 'task.cancelled', task: id, reason: 'CANCEL' });
  const screen = await open({ story });
  await screen.press('F');
  expect(screen.frame()).toContain('✓ 1 done');
});

test('a click on a task selects it', async () => {
  const screen = await open();
  await screen.press('w');
  await screen.click('▸ vietnamese');
  expect(chosen(screen)).toBe('vietnamese');
});

test('of 10,000 tasks the graph draws those around the cursor, and stays while the cursor is among them', async () => {
  const story = createStory()
    .begin()
    .tasks(
      Array.from({ length: 10_000 }, (_, index) => task(`t${index}`, index < 10 ? [] : [`t${index - 10}`])),
    );
  const screen = await open({ story, columns: 200, rows: 50 });
  await screen.press('w', 'z');
  expect(screen.frame()).toContain('80 of 10000 shown');
  await screen.press('l', 'l', 'l');
  expect(screen.rows().find((row) => row.includes('▌'))).toContain('t30');
});

test('keys lead out of the window: to every neighbour, along every edge, and to both ends', async () => {
  const fan = Array.from({ length: 1_000 }, (_, index) => task(`t${index}`, index === 0 ? [] : ['t0']));
  const story = createStory()
    .begin()
    .tasks([...fan, task('last', ['t999'])]);
  const screen = await open({ story, columns: 200, rows: 50 });
  await screen.press('w', 'z', 'l');
  expect(chosen(screen)).toMatch(/^t\d/);
  await screen.press('g', 'l');
  const from = Number(chosen(screen)?.slice(1));
  for (let page = 0; page < 20; page += 1) await screen.press('pagedown');
  expect(chosen(screen)).toBe(`t${from + 200}`);
  await screen.press('G');
  expect(chosen(screen)).toBe('last');
  await screen.press('h');
  expect(chosen(screen)).toBe('t999');
  await screen.press('l');
  expect(chosen(screen)).toBe('last');
  await screen.press('g');
  expect(chosen(screen)).toBe('t0');
});

test('a drawing larger than its pane says at its edges where more lies', async () => {
  const edges = {
    a: [],
    b: ['a'],
    ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`fan-${n}`, ['b']])),
  };
  const tasks = Object.entries(edges).map(([id, blockedBy]) => task(id, blockedBy));
  const story = createStory()
    .begin()
    .tasks([
      ...tasks,
      task('long-name-at-the-end', ['fan-20']),
      task('longer-name-behind-it', ['long-name-at-the-end']),
    ]);
  const screen = await open({ story, columns: 80, rows: 24 });
  await screen.press('w');
  const [first = '', ...others] = screen.rows().slice(4, 23);
  expect(first).toMatch(/▴ \d+ more│/);
  expect(others.join('\n')).toMatch(/fan-20 [─━]+ .*›│[\s\S]*▾ \d+ more│/);
  await screen.press('G');
  expect(screen.rows().slice(4, 23).join('\n')).toMatch(/^‹.*▌· longe…me-behind-it/m);
});

test('a window of a large graph marks the tasks whose blockers or dependants it leaves out, and the waves that it cuts', async () => {
  const story = createStory()
    .begin()
    .tasks(
      Array.from({ length: 1_000 }, (_, index) => task(`t${index}`, index < 100 ? [] : [`t${index - 100}`])),
    );
  const screen = await open({ story, columns: 200, rows: 50 });
  await screen.press('w', 'z');
  await screen.press('/');
  await screen.type('t450');
  await screen.press('enter');
  expect(screen.frame()).toMatch(/▴ more[\s\S]*▾ more/);
  // Its whole chain is drawn; of its neighbours in the wave only the tasks themselves.
  expect(screen.frame()).toMatch(/· t350 [─━]+▌· t450 [─━]+ · t550/);
  expect(screen.frame()).toContain('‹· t451›');
});

test('replanning redraws: new tasks and edges stand there at once, and the cursor stays on its task', async () => {
  const story = createStory()
    .begin()
    .tasks([task('init', []), task('build', ['init']), task('ship', ['build'])])
    .wave(1, ['init']);
  const screen = await open({ story });
  await screen.press('G');
  expect(chosen(screen)).toBe('ship');
  const before = story.events.length;
  story.tasks([
    task('init', []),
    task('build', ['init']),
    task('sign', ['build']),
    task('ship', ['build', 'sign']),
  ]);
  screen.store.load(story.events.slice(before));
  await screen.settle();
  expect(screen.frame()).toMatch(/· sign /);
  expect(screen.frame()).toMatch(/▌· ship [\s\S]* ship · waits for build, sign/);
  const drawn = screen.drawn();
  await screen.settle();
  expect(screen.drawn()).toBe(drawn);
});

const diamond = () =>
  createStory()
    .begin()
    .tasks([
      task('seed', []),
      task('left', ['seed']),
      task('right', ['seed']),
      task('join', ['left', 'right']),
      task('ship', ['join']),
    ])
    .wave(1, ['seed']);

const barOf = (screen: TestScreen): number => screen.rows()[12]?.lastIndexOf('│') ?? 0;

test('the graph comes first where all of it fits, in a pane as wide as that; a chosen form stays', async () => {
  const screen = await open({ story: diamond() });
  for (const id of ['seed', 'left', 'right', 'join', 'ship'])
    expect(screen.frame()).toMatch(new RegExp(`[│┃][ ▌]. ${id} `));
  expect(screen.frame()).not.toContain('Level 1');
  const { left } = selectLayout(screen.store.getState());
  expect(left).toBeGreaterThanOrEqual(46);
  expect(left).toBeLessThan(60);
  expect(barOf(screen)).toBe(left);
  expect(screen.store.getState().ui.tasks.as).toBeNull();
  await screen.press('w');
  expect(screen.store.getState().ui.tasks.as).toBe('list');
  screen.store.load(createStory().events);
  expect(screen.store.getState().ui.tasks.as).toBe('list');
});

const apart = createStory()
  .begin()
  .tasks([task('one', []), task('two', [])])
  .wave(1, ['one', 'two']);
const many = createStory()
  .begin()
  .tasks(Array.from({ length: 30 }, (_, index) => task(`t${index}`, index === 0 ? [] : ['t0'])))
  .wave(1, ['t0']);

test('where a time does not fit beside the name of a task, it stands behind its title', async () => {
  const story = createStory()
    .begin()
    .tasks([
      task('write-the-schema', [], { title: 'Write the schema' }),
      task('generate-the-pages', ['write-the-schema'], { title: 'Generate the pages' }),
      task('generate-the-sitemap', ['write-the-schema'], { title: 'Generate the sitemap' }),
    ])
    .wave(1, ['write-the-schema'])
    .starts('write-the-schema');
  const screen = await open({ story });
  expect(screen.frame()).toMatch(/┃▌[^ ] write-the-schema +[┠┃][\s\S]*┃ {3}Write the [^┃]*0:00 ┃/);
  for (const id of ['generate-the-pages', 'generate-the-sitemap'])
    expect(screen.frame()).toMatch(new RegExp(`[│┤] · ${id} +│`));
});

test('where a second row does not fit, the title stands behind the name in each box that has room, and what failed in its place', async () => {
  const chain = Array.from({ length: 7 }, (_, index) => `s${index}`);
  const title = (id: string): string => `Do the ${id} work`;
  const story = createStory()
    .begin()
    .tasks([
      ...chain.map((id, index) => task(id, index === 0 ? [] : [`s${index - 1}`], { title: title(id) })),
      ...['left', 'right'].map((id) => task(id, ['s0'], { title: `Do all the other work, ${id}` })),
    ])
    .wave(1, ['s0'])
    .starts('s0');
  const screen = await open({ story });
  for (const id of ['s0', ...chain.slice(3)]) expect(screen.frame()).toContain(`${id}  ${title(id)} `);
  expect(screen.frame()).toMatch(/[│┃] · left +[│┃]/);
  story.fails('s0', 'no such place');
  for (const attempt of [2, 3]) story.starts('s0', attempt).fails('s0', 'no such place');
  const failed = await open({ story });
  expect(failed.frame()).toContain('s0  failed: no such place ');
});

test('a box says what failed as far as columns are free', async () => {
  const reason = 'two headings of one name';
  const story = createStory()
    .begin()
    .tasks([task('pages', [], { title: 'Pages' }), task('ship', ['pages'], { title: 'Ship' })])
    .wave(1, ['pages']);
  for (const attempt of [1, 2, 3]) story.starts('pages', attempt).fails('pages', reason);
  const screen = await open({ story, columns: 200, rows: 50 });
  expect(screen.frame()).toMatch(/[│┃] {3}failed: two headings of one name [│┃]/);
});

test('the tasks that took over one are drawn in its place, behind the done tasks that it waited for', async () => {
  const story = createStory()
    .begin()
    .tasks([task('plan', []), task('review', ['plan']), task('ship', ['review'])])
    .wave(1, ['plan'])
    .starts('plan')
    .command('plan', 'make')
    .commandEnds('plan')
    .qualifies('plan');
  story.add({ type: 'tasks.defined', tasks: [task('plan-2', []), task('review-2', ['plan-2'])] });
  story.add({ type: 'task.replaced', task: 'review', by: ['review-2'] });
  const { store } = await open({ story });
  expect(
    selectGraph(store.getState()).layout.edges.map(({ blocker, task }) => `${blocker} > ${task}`),
  ).toEqual(expect.arrayContaining(['plan > plan-2', 'plan-2 > review-2', 'review-2 > ship']));
  expect([...selectGraph(store.getState()).layout.boxes.keys()].toSorted()).toEqual([
    ...['plan', 'plan-2', 'review-2', 'ship'],
  ]);
});

test.each([
  ['on a narrow screen', diamond(), 80, 24],
  ['where no task waits for another', apart, 120, 36],
  ['where the graph does not fit', many, 120, 36],
])('the tasks stand in waves %s', async (_, story, columns, rows) => {
  const screen = await open({ story, columns, rows });
  expect(screen.frame()).toContain('Level 1');
  expect(screen.frame()).not.toContain('╭');
});

test('finished parts fold by themselves where the drawing would not fit, and a person can unfold them', async () => {
  const ids = Array.from({ length: 16 }, (_, index) => `t${index}`);
  const story = createStory()
    .begin()
    .tasks(ids.map((id, index) => task(id, index === 0 ? [] : [`t${index - 1}`])));
  for (const id of ids.slice(0, 6)) story.starts(id).command(id, 'make').commandEnds(id).qualifies(id);
  const screen = await open({ story, columns: 100, rows: 30 });
  await screen.press('w');
  expect(screen.frame()).toContain('✓ 5 done');
  expect(screen.frame()).toContain('▌✓ t5');
  expect(screen.frame()).not.toContain('t2 ');
  await screen.press('F');
  expect(screen.frame()).not.toContain('✓ 5 done');
  await screen.press('F');
  expect(screen.frame()).toContain('✓ 6 done');
});

test('what the chosen task waits for and what waits for it have two tones; states keep theirs outside of both', async () => {
  const theme = { colours: 'true', ascii: false, background: 'dark' } as const;
  const story = diamond().starts('seed').command('seed', 'make').commandEnds('seed').qualifies('seed');
  const screen = await open({ story, theme });
  const { codes } = createTheme(theme);
  screen.store.act({ type: 'task-looked-for', text: 'join', by: 0 });
  await screen.settle();
  const styled = screen.styled().ours;
  const tonesOfLines = new Set(
    [...styled.matchAll(/\u001b\[([\d;]*)m[^\u001b]*[━┃┏┓┗┛┻┳][^\u001b]*/g)].map(([, code]) => code),
  );
  expect(tonesOfLines).toContain(codes.accent);
  expect(tonesOfLines).toContain(codes.chain);
  expect(screen.frame()).toContain('waits for left, right · blocks 1 task');
  expect(styled).toContain(`\u001b[${codes.accent}mwaits for left, right`);
  expect(styled).toContain(`\u001b[${codes.chain}mblocks 1 task`);
});

test.each([
  [2, 'neither named nor drawn'],
  [3, 'named and drawn'],
])('a chain of %i is %s, in every form of the tasks', async (length) => {
  const theme = { colours: 'true', ascii: false, background: 'dark' } as const;
  const ids = ['one', 'two', 'three'].slice(0, length);
  const tasks = ids.map((id, at) => task(id, ids.slice(Math.max(0, at - 1), at)));
  const story = createStory()
    .begin()
    .tasks([...tasks, task('apart')])
    .wave(1, ['one', 'apart']);
  const screen = await open({ story, theme });
  const { codes } = createTheme(theme);
  const isNamed = length > 2;
  for (const form of [1, 2, 3]) {
    expect(new RegExp(`${length} (?:tasks )?in a row`).test(screen.frame()), `form ${form}`).toBe(isNamed);
    expect(screen.styled().ours.includes(`\u001b[${codes.chain}m`), `form ${form}`).toBe(isNamed);
    await screen.press('w');
  }
});

test('a finished task blocks nothing: it is followed by the others', async () => {
  const screen = await open({ story: diamond().starts('seed').qualifies('seed') });
  screen.store.act({ type: 'task-looked-for', text: 'seed', by: 0 });
  await screen.settle();
  expect(screen.frame()).toContain('done · followed by 2 tasks');
});

test('where nobody chose the graph, j and k lead through all tasks, as in a list', async () => {
  const story = createStory()
    .begin()
    .tasks([task('first', []), task('alone', []), task('second', ['first'])])
    .wave(1, ['first', 'alone']);
  const screen = await open({ story });
  const seen: (string | null)[] = [];
  for (const key of ['g', 'j', 'j', 'k', 'k']) {
    await screen.press(key);
    seen.push(chosen(screen));
  }
  expect(new Set(seen)).toEqual(new Set(['first', 'alone', 'second']));
  expect(seen.toReversed()).toEqual(seen);
});

test('boxes without times come before a drawing without boxes', async () => {
  const phases = ['plan', 'review', 'implement', 'pr', 'merge'];
  const streams = ['2', '3'].flatMap((issue) =>
    phases.map((phase, at) =>
      task(
        `${phase}-${issue}_stream`,
        at === 0 ? ['research-2', 'research-3'] : [`${phases[at - 1]}-${issue}_stream`],
      ),
    ),
  );
  const before = [task('research-2', []), task('triage-3', []), task('research-3', ['triage-3'])];
  const screen = await open({
    story: createStory()
      .begin()
      .tasks([...before, ...streams]),
  });
  await screen.press('w');
  for (const { id } of streams) expect(screen.frame()).toMatch(new RegExp(`│ · ${id} +│`));
});

test('boxes give way before finished tasks fold, and no more fold than it takes', async () => {
  const ids = Array.from({ length: 11 }, (_, index) => `step-${index + 1}`);
  const tasks = ids.map((id, index) => task(id, index === 0 ? [] : [ids[index - 1] ?? '']));
  const story = createStory().begin().tasks(tasks);
  for (const [index, id] of ids.slice(0, 6).entries())
    story
      .wave(index + 1, [id])
      .starts(id)
      .qualifies(id);
  const screen = await open({ story });
  await screen.press('w');
  for (const id of ids) expect(screen.frame()).toMatch(new RegExp(`[✓○·] ${id} `));
  expect(screen.frame()).not.toMatch(/\d done\b(?!.*in a row)/);
  await screen.resize(120, 24);
  expect(screen.frame()).toMatch(/✓ [2-5] done/);
  expect(screen.frame()).toMatch(/✓ step-6 /);
});

/** The plan of the demo. */
const greeter = [
  task('toolbox', [], { title: 'Prepare the workshop' }),
  task('schema', ['toolbox'], { title: 'Generate the schema' }),
  task('messages', ['toolbox'], { title: 'Collect the messages' }),
  task('catalogue', ['schema', 'messages'], { title: 'Build the catalogue' }),
  task('text', ['catalogue'], { title: 'Render the text page' }),
  task('html', ['catalogue'], { title: 'Render the HTML page' }),
  task('notes', ['catalogue'], { title: "Write the translators' notes" }),
  task('tests', ['text', 'html'], { title: 'Run the tests' }),
  task('bundle', ['tests', 'notes'], { title: 'Pack the bundle' }),
  task('farewell', ['bundle'], { title: 'Read the result aloud' }),
];

test('a title wraps where its box would be too wide, and only the boxes beside it are as high', async () => {
  const story = createStory().begin().tasks(greeter).wave(1, ['toolbox']).starts('toolbox');
  const screen = await open({ story, columns: 200, rows: 50 });
  expect(screen.rows().find((row) => row.includes("translators' notes"))).toMatch(
    /HTML page .* translators' notes /,
  );
  const { boxes } = selectGraph(screen.store.getState()).layout;
  const heights = ['toolbox', 'catalogue', 'html', 'notes', 'tests'].map((id) => boxes.get(id)?.lines);
  expect(heights).toEqual([2, 2, 3, 3, 2]);
});
