import { afterEach, describe, expect, test } from 'vitest';
import { noTerminalPort } from '../../components/ports/terminal-port.ts';
import type { Issue } from '../../src/issues/issue.ts';
import { flowStory } from '../helpers/flow-story.ts';
import { issue } from '../helpers/issues.ts';
import { paneKeys, shortTabTitle, tabTitle } from '../helpers/pane-key.ts';
import { board, boardOf, inFull, issuesOf, showIssues } from '../helpers/scenes/issues.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';

const opened: TestScreen[] = [];
afterEach(() => {
  for (const screen of opened.splice(0)) screen.unmount();
});

const open = async (options: ScreenOptions = {}): Promise<TestScreen> => {
  const screen = await openScreen({
    columns: 120,
    rows: 36,
    story: twoSideBySide(),
    issues: issuesOf(),
    ...options,
  });
  opened.push(screen);
  return screen;
};

/** A tracker that counts its readings, and fails when told to. */
const counting = () => {
  const told = { lists: 0, shows: [] as string[], fails: false };
  return {
    told,
    issues: {
      list: async () => {
        told.lists += 1;
        if (told.fails) return { ok: false as const, error: 'bd answered with half a page; try again' };
        return { ok: true as const, board };
      },
      show: async (id: string) => {
        told.shows.push(id);
        return { ok: true as const, issue: inFull(id) };
      },
    },
  };
};

describe('the Issues tab', () => {
  test('gives its place to the names of the others until it is opened', async () => {
    const screen = await openScreen({ columns: 100, rows: 30, story: twoSideBySide(), issues: issuesOf() });
    opened.push(screen);
    expect(screen.rows()[3]).toContain(
      `${tabTitle('details')} ${tabTitle('events')} ${tabTitle('timeline')}`,
    );
    expect(screen.rows()[3]).not.toContain('Iss');
    await screen.press(...paneKeys('issues'));
    expect(screen.rows()[3]).toContain(`[${shortTabTitle('issues')}`);
    await screen.press(...paneKeys('output'));
    expect(screen.rows()[3]).toContain(shortTabTitle('issues'));
  });

  test('reads the tracker only while it is shown, each poll and at once on its key', async () => {
    const { told, issues } = counting();
    const screen = await open({ issues });
    screen.clock.advance(300_000);
    await screen.settle();
    expect(told.lists).toBe(0);
    await screen.press(...paneKeys('issues'));
    expect(told.lists).toBe(1);
    screen.clock.advance(60_000);
    await screen.settle();
    expect(told.lists).toBe(2);
    await screen.press('ctrl-l');
    expect(told.lists).toBe(3);
    await screen.press(...paneKeys('output'));
    screen.clock.advance(300_000);
    await screen.settle();
    expect(told.lists).toBe(3);
  });

  test('follows what the session does in the tracker, also while it is hidden', async () => {
    const story = flowStory().through('research-42', 'research-43', 'research-44');
    const told = { lists: 0, state: 'Plan in Review' as Issue['state'] };
    const issues = {
      ...issuesOf(),
      list: async () => {
        told.lists += 1;
        return { ok: true as const, board: boardOf([issue('42', { title: 'Greet', state: told.state })]) };
      },
    };
    const screen = await open({ story, issues });
    const moves = async (to: Issue['state']) => {
      const before = story.events.length;
      told.state = to;
      story.begins('plan-42_stream').ends('plan-42_stream', {}, { 42: to });
      for (const event of story.events.slice(before)) screen.store.dispatch(event);
      screen.clock.advance(100);
      await screen.settle();
    };
    await moves('Plan in Review');
    expect(told.lists, 'readings before the tab was opened').toBe(0);
    await screen.press(...paneKeys('issues'));
    expect(screen.frame()).toContain('Plan in Review');
    expect(screen.frame()).toMatch(/Iss\w* \?1/);
    await moves('In Progress');
    expect(screen.frame()).not.toContain('Plan in Review');
    expect(screen.frame()).not.toMatch(/Iss\w* \?1/);
    await screen.press(...paneKeys('output'));
    await moves('Human Needed');
    expect(screen.frame()).toMatch(/Iss\w* \?1/);
  });

  test('keeps what is known when a reading fails, says why, and takes the sentence back when it works again', async () => {
    const { told, issues } = counting();
    const screen = await open({ issues });
    await showIssues(screen);
    told.fails = true;
    await screen.press('ctrl-l');
    expect(screen.frame()).toContain('bd answered with half a page; try again');
    expect(screen.frame()).toContain('as of');
    expect(screen.frame()).toContain('Write the greeting in English');
    told.fails = false;
    await screen.press('ctrl-l');
    expect(screen.frame()).not.toContain('half a page');
  });

  test('says why there is nothing when the first reading fails', async () => {
    const failing = {
      ...issuesOf(),
      list: async () => ({ ok: false as const, error: 'bd is not installed' }),
    };
    const screen = await open({ issues: failing });
    await screen.press(...paneKeys('issues'));
    expect(screen.frame()).toContain('bd is not installed');
  });

  test('lists groups together, those with something ready first, closed issues last', async () => {
    const screen = await open();
    await showIssues(screen);
    const order = screen
      .rows()
      .flatMap(
        (row) =>
          /[·▸○?◇‖–✓] (\d\d) {2}\S.*[^·] (?:Backlog|Progress|Plan|Review|Needed|Canceled|Done)/.exec(
            row,
          )?.[1] ?? [],
      );
    // The details below name some of them again.
    expect(order.slice(0, board.issues.length)).toEqual([
      '41',
      '42',
      '43',
      '44',
      '52',
      '50',
      '51',
      '53',
      '54',
      '40',
      '39',
    ]);
  });

  test('passing over issues reads none of them; resting on one does, once for each revision', async () => {
    const { told, issues } = counting();
    const screen = await open({ issues });
    await screen.press(...paneKeys('issues'), 'j', 'j', 'j');
    expect(told.shows).toEqual([]);
    screen.clock.advance(200);
    await screen.settle();
    expect(told.shows).toEqual(['44']);
    await screen.press('k', 'j');
    screen.clock.advance(200);
    await screen.settle();
    expect(told.shows).toEqual(['44']);
  });

  test('lists ignored comments apart from those that count, with the reason', async () => {
    const screen = await open({ rows: 50 });
    await showIssues(screen);
    await screen.press('enter');
    const text = screen.frame();
    expect(text.indexOf('The server knows the zone.')).toBeGreaterThan(text.indexOf('Comments'));
    expect(text.indexOf('plans/evil.md')).toBeGreaterThan(text.indexOf('Ignored comments'));
    expect(text).toMatch(/passer-by is not a member of[\s│]+.*the project/);
  });

  test('keeps the chosen issue while a new reading brings others before it', async () => {
    let of = board;
    const screen = await open({ issues: { ...issuesOf(), list: async () => ({ ok: true, board: of }) } });
    await showIssues(screen);
    await screen.press('j', 'j');
    of = boardOf([issue('1', { title: 'Newly found' }), ...board.issues]);
    await screen.press('ctrl-l');
    expect(screen.rows().find((row) => row.includes('▌│ ○'))).toContain('43');
    expect(screen.frame()).toContain('Newly found');
  });

  test('Enter shows an issue alone, j scrolls it, Esc goes back to the list', async () => {
    const screen = await open({ issues: issuesOf(board, { body: 'word\n\n'.repeat(80) }) });
    await showIssues(screen);
    await screen.press('enter');
    expect(screen.frame()).not.toContain('Fix the crash');
    const before = screen.frame();
    await screen.press('j');
    expect(screen.frame()).not.toBe(before);
    await screen.press('escape');
    expect(screen.frame()).toContain('Fix the crash');
  });

  test('copies the id, and opens the page of an issue that has one', async () => {
    const asked: string[] = [];
    const terminal = {
      ...noTerminalPort,
      copy: async (text: string) => `copied ${asked.push(`copy ${text}`)}`,
      browse: async (url: string) => `opened ${asked.push(`browse ${url}`)}`,
    };
    const screen = await open({ terminal });
    await showIssues(screen);
    await screen.press('O');
    expect(screen.frame()).toContain('This issue has no web page');
    await screen.press('j', 'j', 'j', 'j', 'c', 'O');
    expect(asked).toEqual(['copy 52', 'browse https://example.com/greetings/issues/52']);
  });
});

describe('moving an issue', () => {
  test('asks which of the allowed states, and asks the tracker for that one', async () => {
    const screen = await open();
    await showIssues(screen);
    await screen.press('j', 'j', 'X');
    const dialog = screen.frame();
    for (const state of ['Plan in Progress', 'Human Needed', 'Canceled']) expect(dialog).toContain(state);
    expect(dialog).not.toMatch(/│ .?Done +│/);
    await screen.press('j', 'enter');
    expect(screen.intents).toEqual([
      { type: 'move-issue', issue: '43', state: 'Human Needed', breaksLock: false },
    ]);
  });

  test('of an issue that a session holds names the holder, and takes the lock only by its own key', async () => {
    const screen = await open();
    await showIssues(screen);
    await screen.press('j', 'X');
    expect(screen.frame()).toContain('Held by 260215-101500 on laptop since 17:15.');
    await screen.press('enter');
    expect(screen.intents).toEqual([]);
    await screen.press('B');
    expect(screen.intents).toEqual([
      { type: 'move-issue', issue: '42', state: 'In Review', breaksLock: true },
    ]);
  });

  test('is refused where nothing follows', async () => {
    const screen = await open();
    await showIssues(screen);
    await screen.press('G', 'X');
    expect(screen.frame()).toContain('Done is final');
  });
});

test('an issue that this session holds says so in its row, in its details and where it is moved', async () => {
  const mine = { machine: 'laptop', workspace: '/work/greetings', session: '260215-101500' };
  const held = (id: string, holder: typeof mine) =>
    issue(id, { state: 'In Progress', lock: { holder, since: '2026-02-15T10:15:00.000Z' } });
  const screen = await open({
    story: flowStory(),
    issues: issuesOf(boardOf([held('42', mine), held('43', { ...mine, workspace: '/work/elsewhere' })])),
  });
  await showIssues(screen);
  expect(screen.frame()).toMatch(/ 42 .*held by this session/);
  expect(screen.frame()).toMatch(/ 43 .*held by 260215-101500/);
  expect(screen.frame()).toMatch(/held by this session since 2026/);
  await screen.press('X');
  expect(screen.frame()).toContain('Held by this session');
});
