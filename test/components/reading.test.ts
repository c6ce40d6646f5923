import { describe, expect, test } from 'vitest';
import { createStore, type Store } from '../../components/create-store.ts';
import { selectDetails } from '../../components/details/select-details.ts';
import { selectTasksForm } from '../../components/layout.ts';
import {
  selectOutputRows,
  selectOutputSubject,
  selectOutputWindow,
} from '../../components/output/select-output.ts';
import { selectMatch, selectSearchWords } from '../../components/output/select-search.ts';
import type { TasksForm } from '../../components/ports/tasks-form.ts';
import { selectShownTasks } from '../../components/tasks/select-shown-tasks.ts';
import { selectTask } from '../../components/tasks/select-tasks.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { buildGraph } from '../../src/tasks/graph.ts';
import { longestChain } from '../../src/tasks/longest-chain.ts';
import { markdownLines } from '../../src/words/markdown-lines.ts';
import { styledText } from '../../src/words/styled-text.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, type Story, task, twoSideBySide } from '../helpers/story.ts';

const storeOf = (story: Story): Store => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(story.events);
  store.act({ type: 'resized', columns: 120, rows: 36 });
  store.act({ type: 'tab-chosen', tab: 'output' });
  return store;
};
/** One attempt with commands 1 to 4, of which the third fails; each prints two lines. */
const fourCommands = (): Story => {
  const story = createStory()
    .begin()
    .tasks([task('t')])
    .wave(1, ['t'])
    .starts('t');
  for (const index of [1, 2, 3, 4])
    story
      .command('t', `step ${index}`, index, 4)
      .prints('t', `a${index}\nb${index}\n`)
      .commandEnds('t', index !== 3, index);
  return story;
};
const texts = (store: Store): readonly string[] =>
  selectOutputRows(store.getState()).map(({ line }) => line.text);

describe('blocks of output', () => {
  test('old commands that went well are folded, the newest two and every failure are open', () => {
    expect(texts(storeOf(fourCommands()))).toEqual([
      'step 1',
      'step 2',
      'step 3',
      'a3',
      'b3',
      'step 4',
      'a4',
      'b4',
    ]);
  });

  test('Enter folds the command under the cursor and opens it again', () => {
    const store = storeOf(fourCommands());
    store.act({ type: 'block-toggled' });
    expect(texts(store)).not.toContain('a4');
    store.act({ type: 'block-toggled' });
    expect(texts(store)).toContain('a4');
  });

  test('nothing that is being read folds away when newer commands start', () => {
    const story = fourCommands();
    const store = storeOf(story);
    store.act({ type: 'moved', by: 'up' });
    const before = texts(store);
    const from = story.events.length;
    story.command('t', 'step 5', 5, 6).commandEnds('t', true, 5).command('t', 'step 6', 6, 6);
    for (const event of story.events.slice(from)) store.dispatch(event);
    expect(texts(store).slice(0, before.length)).toEqual(before);
    expect(selectOutputWindow(store.getState(), 20).fresh).toBe(2);
    store.act({ type: 'moved', by: 'last' });
    expect(texts(store)).not.toContain('a4');
  });

  test('the cursor put on a folded line opens its block', () => {
    const store = storeOf(fourCommands());
    store.act({ type: 'line-chosen', line: 2 });
    expect(texts(store)).toContain('b1');
  });
});

describe('the search', () => {
  const ref = { subject: 't', attempt: 1 };

  test('walks the lines at hand, around the end, and says how many there are', () => {
    const store = storeOf(fourCommands());
    store.act({ type: 'search-started', text: 'B' });
    const match = selectMatch(store.getState(), 1);
    expect(match).toEqual({ line: 2 });
    store.act({ type: 'line-chosen', line: 11 });
    expect(selectMatch(store.getState(), 1)).toEqual({ line: 2 });
    expect(selectMatch(store.getState(), -1)).toEqual({ line: 8 });
    expect(selectSearchWords(store.getState())).toBe('"B" 4+ matches, looking');
    // Each command prints `a1`, a line feed, `b1` and a line feed.
    store.act({
      type: 'search-found',
      ref,
      text: 'B',
      found: { at: [3, 9, 15, 21], done: true, more: false },
    });
    expect(selectSearchWords(store.getState())).toBe('"B" 4 of 4');
    store.act({ type: 'line-chosen', line: 2 });
    expect(selectSearchWords(store.getState())).toBe('"B" 1 of 4');
    store.act({ type: 'byte-chosen', at: 9 });
    expect(selectSearchWords(store.getState())).toBe('"B" 2 of 4');
  });

  /** 30 matches, of which the first 15 stand in the file alone: the story printed 3000 lines and the end of them is at hand. */
  const longLog = (): Store => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `value ${String(index).padStart(4, '0')}\n`);
    const story = createStory()
      .begin()
      .tasks([task('t')])
      .wave(1, ['t'])
      .starts('t')
      .command('t', 'node print.js', 0, 1)
      .prints('t', lines.join(''));
    const printed = story.events.at(-1);
    const started = story.events.at(-2);
    if (printed?.type !== 'output.written' || started === undefined) throw new Error('nothing was printed');
    const byte = 1_500 * 11;
    const store = storeOf(story);
    store.rewind();
    store.load([
      ...story.events.slice(0, -1),
      { ...printed, text: printed.text.slice(byte), byte, skipped: byte },
      {
        ...printed,
        type: 'command.ended',
        index: 0,
        exit: 'exit 0',
        ok: true,
        duration_ms: 1,
        log: { file: 'logs/t-r1.log', from: 0, to: 33_000, lines: 3_000 },
      },
    ]);
    const at = lines.flatMap((line, index) => (line.includes('92') ? [index * 11] : []));
    store.act({ type: 'search-started', text: '92' });
    store.act({ type: 'search-found', ref, text: '92', found: { at, done: true, more: false } });
    return store;
  };

  test('counts the matches of the whole file, and goes to those that are not at hand in the file itself', () => {
    const store = longLog();
    const { search } = store.getState().ui.log;
    const all = search?.found.at ?? [];
    const before = all.filter((byte) => byte < 1_500 * 11);
    expect(selectMatch(store.getState(), 1)).toEqual({ byte: 92 * 11 });
    const visited: string[] = [];
    for (const [index] of all.entries()) {
      const match = selectMatch(store.getState(), -1);
      if (match === null) throw new Error('no match');
      store.act(
        'line' in match ? { type: 'line-chosen', line: match.line } : { type: 'byte-chosen', at: match.byte },
      );
      visited.push(Object.keys(match).join());
      expect(selectSearchWords(store.getState())).toBe(`"92" ${all.length - index} of ${all.length}`);
    }
    expect(visited.filter((kind) => kind === 'byte')).toHaveLength(before.length);
    expect(before.length).toBeGreaterThan(20);
  });

  test('a folded command says how many lines it printed and how many of them are at hand', () => {
    const store = longLog();
    store.act({ type: 'block-toggled' });
    const rows = selectOutputRows(store.getState());
    expect(rows.map(({ folded }) => folded)).toContain('last 1500 of 3000 lines');
  });

  test('of lines whose place nobody knows the matches are those of the file', () => {
    const story = fourCommands();
    const store = storeOf(story);
    store.rewind();
    store.load(story.events.map((event) => ('byte' in event ? { ...event, byte: undefined } : event)));
    store.act({ type: 'search-started', text: 'b' });
    expect(selectMatch(store.getState(), 1)).toEqual({ line: 2 });
    store.act({
      type: 'search-found',
      ref,
      text: 'b',
      found: { at: [3, 9, 15, 21], done: true, more: false },
    });
    expect(selectSearchWords(store.getState())).toBe('"b" 4 matches');
    expect(selectMatch(store.getState(), 1)).toEqual({ byte: 3 });
  });

  const secondAttempt = (store: Store, story: Story): void => {
    const from = story.events.length;
    story.fails('t', 'no').starts('t', 2).command('t', 'step 1', 1, 4).prints('t', 'b\n');
    for (const event of story.events.slice(from)) store.dispatch(event);
  };

  test('says nothing of the log of another attempt, and looks through that one anew', () => {
    const story = fourCommands();
    const store = storeOf(story);
    store.act({ type: 'search-started', text: 'b' });
    store.act({
      type: 'search-found',
      ref,
      text: 'b',
      found: { at: [3, 9, 15, 21], done: true, more: false },
    });
    secondAttempt(store, story);
    expect(selectSearchWords(store.getState())).toBe('"b" 1+ matches, looking');
    const second = { subject: 't', attempt: 2 };
    store.act({ type: 'search-found', ref: second, text: 'b', found: { at: [0], done: true, more: false } });
    expect(selectSearchWords(store.getState())).toBe('"b" 1 match');
  });

  test.each([
    ['blocks', { type: 'line-chosen', line: 2 }],
    ['the file', { type: 'byte-chosen', at: 9 }],
  ] as const)('who reads %s of an attempt stays there when the next one starts', (_, action) => {
    const story = fourCommands();
    const store = storeOf(story);
    store.act(action);
    secondAttempt(store, story);
    expect(selectOutputSubject(store.getState()).title).toBe('t attempt 1 of 2');
    store.act({ type: 'attempt-chosen', attempt: null });
    expect(selectOutputSubject(store.getState()).title).toBe('t attempt 2');
  });

  test('goes into the file where nothing at hand matches, and Esc keeps what was found', () => {
    const store = storeOf(fourCommands());
    store.act({ type: 'search-started', text: 'needle' });
    expect(selectMatch(store.getState(), 1)).toBeNull();
    store.act({
      type: 'search-found',
      ref,
      text: 'needle',
      found: { at: [70, 900], done: false, more: false },
    });
    expect(selectMatch(store.getState(), 1)).toEqual({ byte: 70 });
    store.act({ type: 'search-ended' });
    store.act({
      type: 'search-found',
      ref,
      text: 'needle',
      found: { at: [70, 900, 950], done: true, more: false },
    });
    expect(selectSearchWords(store.getState())).toBe('"needle" 2+ matches, stopped');
    store.act({ type: 'byte-chosen', at: 70 });
    expect(selectMatch(store.getState(), 1)).toEqual({ byte: 900 });
    store.act({ type: 'search-ended' });
    expect(selectSearchWords(store.getState())).toBe('');
  });
});

describe('a colour of a program', () => {
  test('stays beside the text, and nothing else of what it sent', () => {
    expect(styledText('\u001b[1;31mred\u001b[0m\u001b]52;c;x\u0007 plain\u001b[2J')).toEqual({
      text: 'red plain',
      styles: [
        { from: 0, codes: '1;31' },
        { from: 3, codes: '' },
      ],
      codes: '',
    });
  });

  test('tabs are counted in what is seen, not in what was sent', () => {
    expect(styledText('\u001b[31ma\u001b[0m\tb').text).toBe('a       b');
  });
});

describe('the list of tasks', () => {
  const inTasks = (as: TasksForm): Store => {
    const store = storeOf(twoSideBySide());
    store.act({ type: 'focused', pane: 'tasks' });
    while (selectTasksForm(store.getState()) !== as) store.act({ type: 'tasks-form-turned' });
    return store;
  };
  const shown = (store: Store): readonly string[] => selectShownTasks(store.getState()).ids;

  test('narrows to tasks that have every word in status, agent, id or title', () => {
    const store = storeOf(twoSideBySide());
    store.act({ type: 'filtered', pane: 'tasks', text: 'Waits rel' });
    expect(shown(store)).toEqual(['release']);
    expect(selectShownTasks(store.getState()).narrowed).toBe('"waits rel" · 1 of 8');
    store.act({ type: 'filtered', pane: 'tasks', text: 'script running' });
    expect(shown(store)).toEqual(['english', 'vietnamese']);
    store.act({ type: 'filtered', pane: 'tasks', text: '' });
    expect(shown(store)).toHaveLength(8);
  });

  test.each(['waves', 'graph', 'list'] as const)(
    'selects the first task that a filter shows, as %s, and keeps a selected one that it shows',
    (as) => {
      const store = inTasks(as);
      const selected = () => selectTask(store.getState());
      store.act({ type: 'selected-task', task: 'init' });
      store.act({ type: 'filtered', pane: 'tasks', text: 'no such task' });
      expect(selected()).toBe('init');
      store.act({ type: 'filtered', pane: 'tasks', text: 'running' });
      expect(selected()).toBe('english');
      store.act({ type: 'moved', by: 'down' });
      store.act({ type: 'moved', by: 'right' });
      expect(selected()).toBe('vietnamese');
      store.act({ type: 'filtered', pane: 'tasks', text: 'script' });
      expect(selected()).toBe('vietnamese');
    },
  );

  test.each(['waves', 'graph', 'list'] as const)(
    'moves to the first shown task when what the filter showed has changed, as %s',
    (as) => {
      const store = inTasks(as);
      store.act({ type: 'filtered', pane: 'tasks', text: 'running' });
      store.act({ type: 'selected-task', task: 'init' });
      store.act({ type: 'moved', by: 'down' });
      expect(selectTask(store.getState())).toBe('english');
    },
  );

  test('shows around a task all it waits for and all that waits for it, and no cousin', () => {
    const store = storeOf(twoSideBySide());
    store.act({ type: 'selected-task', task: 'english' });
    store.act({ type: 'neighbours-toggled' });
    expect(shown(store)).toEqual(['init', 'schema', 'english', 'service', 'load-test', 'release']);
  });

  test('the longest chain counts only what is left', () => {
    const graph = buildGraph([
      task('a'),
      task('b', ['a']),
      task('c', ['b']),
      task('d'),
      task('e', ['d']),
      task('f', ['e']),
    ]);
    expect(longestChain(graph, () => true)).toEqual(['a', 'b', 'c']);
    expect(longestChain(graph, (id) => id !== 'a')).toEqual(['d', 'e', 'f']);
    expect(longestChain(graph, (id) => id !== 'a' && id !== 'd')).toEqual([]);
    expect(longestChain(graph, () => false)).toEqual([]);
  });
});

describe('the details', () => {
  const details = (store: Store): readonly string[] =>
    selectDetails(store.getState()).map(({ kind, text }) => `${kind} ${text}`);

  test('tell every attempt with what became of it, and the verdict on each criterion', () => {
    const story = createStory()
      .begin()
      .tasks([task('t', [], { criteria: ['it works', 'it is fast'] })])
      .wave(1, ['t'])
      .starts('t')
      .fails('t', 'too slow')
      .starts('t', 2);
    const criteria = { 'it works': 'met', 'it is fast': 'not met' } as const;
    for (const event of story.events)
      if (event.type === 'invocation.ended' && event.outcome.role === 'Reviewer')
        Object.assign(event.outcome, { criteria_results: criteria });
    const store = storeOf(story);
    expect(details(store)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^item 1 failed 0:0\d: too slow$/)]),
    );
    expect(details(store)).toContain('chosen 2 running');
    store.act({ type: 'attempt-chosen', attempt: 1 });
    expect(details(store)).toEqual(expect.arrayContaining([expect.stringMatching(/^chosen 1 failed/)]));
    expect(details(store)).toContain('good ✓ met: it works');
    expect(details(store)).toContain('bad ✗ not met: it is fast');
  });

  test('render a report: headings, lists, tables and code, without anything live', () => {
    const text =
      '# Report\n\nSome **bold** `code`\u001b[2J.\n\n- one\n  - two\n\n| C | Status | E |\n| - | - | - |\n| runs | ✅ Met | log |\n| fast | ❌ Not met | 9 s |\n\n```\nx = 1\n```\n';
    expect(markdownLines(text).map(({ kind, text: line }) => `${kind} ${line}`)).toEqual([
      'sub Report',
      'text Some bold code.',
      'item one',
      'item   two',
      'good runs · ✅ Met · log',
      'bad fast · ❌ Not met · 9 s',
      'code x = 1',
    ]);
  });
});
