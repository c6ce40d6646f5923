import { afterEach, describe, expect, test } from 'vitest';
import { overlayChangesRef } from '../../components/changes/end-changes.ts';
import { createEditor } from '../../components/keys/line-editor.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { paneKeys, tabTitle } from '../helpers/pane-key.ts';
import { ended, nobodyRuns, offers, openStart } from '../helpers/scenes/arriving.ts';
import { scenes } from '../helpers/scenes/index.ts';
import { openScene } from '../helpers/scenes/scene.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { type Story, twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
const open = async (options: ScreenOptions): Promise<TestScreen> => {
  const screen = await openScreen(options);
  screens.push(screen);
  return screen;
};
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

/** A session that nobody runs, as a viewer of ours shows it. */
const stopped = async (story: Story, columns = 80, rows = 24): Promise<TestScreen> => {
  const screen = await open({ story, connection: 'stopped', columns, rows });
  await nobodyRuns(screen);
  return screen;
};

const aborted = (): Story =>
  twoSideBySide().add({ type: 'abort.requested', signal: null, by: 'kim' }).state('COMPLETE').add({
    type: 'session.stopped',
    session_id: '260215-101500',
    status: 'aborted',
    reason: 'aborted',
    exit_code: 130,
  });

test('the end screen tells once what a verdict and the end of the output both say', async () => {
  const story = twoSideBySide();
  for (const attempt of [1, 2, 3]) {
    if (attempt > 1) story.starts('english', attempt);
    story
      .prints('english', 'building\nboom at line 12\n')
      .fails('english', '`make` exited 1: boom at line 12');
  }
  const screen = await open({ story: story.state('COMPLETE'), connection: 'stopped', columns: 80, rows: 24 });
  await screen.press('E');
  expect(screen.frame().match(/boom at line 12/g)).toHaveLength(1);
  expect(screen.frame()).toContain('building');
});

test('on a narrow screen the end of an aborted session is told whole', async () => {
  const screen = await open({ story: aborted(), connection: 'stopped', columns: 80, rows: 24 });
  expect(screen.rows()[2]).toMatch(/Aborted.*\. Nothing was reverted\. Next: q leaves$/);
});

test('after an abort feedback is no next step where no agent reads words', async () => {
  const screen = await stopped(aborted(), 120, 36);
  expect(screen.rows()[2]).toMatch(/Aborted.*Next: q leaves *$/);
});

test('how it ended is gone as soon as somebody runs the session again, or a retry gives it work', async () => {
  const story = aborted();
  const { length } = story.events;
  const screen = await stopped(story);
  await screen.press('E');
  expect(screen.frame()).toContain('prints the report');
  const [started] = twoSideBySide().events.filter(({ type }) => type === 'session.started');
  if (started === undefined) throw new Error('no story begins without session.started');
  screen.store.dispatch({ ...started, seq: length + 1 });
  screen.store.act({ type: 'connected', connection: 'attached', canLeaveRunning: true, resumable: true });
  await screen.settle();
  expect(screen.frame()).not.toContain('prints the report');
});

test('what was worth a sentence when it happened is not said again of a session that is opened later', async () => {
  const story = twoSideBySide().add({
    type: 'signal.undelivered',
    id: 'a',
    file: 'signal.260215-101600.yaml',
    signal: { type: 'INFO', target: 'ALL', message: 'too late' },
    reason: 'the session ended',
  });
  const screen = await open({ story, connection: 'attached' });
  expect(screen.frame()).not.toContain('not delivered');
  for (const event of story.events.slice(-1)) screen.store.dispatch(event);
  screen.clock.advance(1_000);
  await screen.settle();
  expect(screen.frame()).toContain('INFO not delivered: the session ended');
});

describe('coming back', () => {
  test('R asks for a resume and nothing else, and what was missed stays until that key', async () => {
    const screen = await stopped(twoSideBySide());
    screen.store.act({
      type: 'noticed',
      notice: { text: 'Since you left: 1 done', tone: 'info', stays: true },
    });
    screen.clock.advance(60_000);
    await screen.settle();
    expect(screen.frame()).toContain('Since you left: 1 done');
    expect(screen.intents).toEqual([]);
    await screen.press('R');
    expect(screen.intents).toEqual([{ type: 'resume' }]);
    expect(screen.frame()).not.toContain('Since you left');
  });

  test('a long notice that stays leaves the keys their line', async () => {
    const screen = await stopped(twoSideBySide());
    const before = screen.frame().split('\n').at(-1);
    const text =
      '3 files differ from the last commit: worktrees start at that commit, without your changes. '.repeat(3);
    screen.store.act({ type: 'noticed', notice: { text, tone: 'info', stays: true } });
    await screen.settle();
    const rows = screen.frame().split('\n');
    expect(before).toMatch(/\? help.* q quit/);
    expect(rows.slice(-5, -1).join('')).toMatch(/^ 3 files differ/);
    expect(rows.at(-1)).toBe(before);
  });

  test('a session of another program can only be read, and R says so', async () => {
    const screen = await open({ story: twoSideBySide(), connection: 'stopped' });
    await screen.press('R');
    expect(screen.frame()).toContain('is read-only');
    expect(screen.intents).toEqual([]);
  });
});

describe('the question whether a repository is trusted', () => {
  const ask = async (rows: number, count = 40): Promise<TestScreen> => {
    const screen = await open({ story: twoSideBySide(), connection: 'stopped', columns: 80, rows });
    screen.store.act({
      type: 'overlay-opened',
      overlay: {
        kind: 'trust',
        lines: [
          `plan.yaml would run ${count} commands in 1 task:`,
          ...Array.from({ length: count }, (_, index) => `  one: command ${index + 1}`),
        ],
        top: 0,
        intent: { type: 'resume', agreed: 'these bytes' },
      },
    });
    await screen.settle();
    return screen;
  };

  test('counts what is out of sight, and the keys bring it all into view', async () => {
    const screen = await ask(24);
    expect(screen.frame()).toMatch(/would run 40 commands[\s\S]*command 15\b[\s\S]*25 more below/);
    await screen.press('G');
    expect(screen.frame()).toMatch(/command 40\b[\s\S]*the end/);
    expect(screen.frame()).not.toContain('would run');
    expect(screen.intents).toEqual([]);
  });

  test('y agrees to just what was shown; Enter does not; Esc, q and ctrl-c run nothing', async () => {
    const screen = await ask(24, 2);
    await screen.press('enter');
    expect(screen.intents).toEqual([]);
    await screen.press('y');
    expect(screen.intents).toEqual([{ type: 'resume', agreed: 'these bytes' }]);
    for (const key of ['escape', 'q', 'ctrl-c']) {
      const refused = await ask(24, 2);
      await refused.press(key);
      expect(refused.frame()).not.toContain('Trust and run this?');
      expect(refused.intents).toEqual([]);
    }
  });
});

describe('the end screen', () => {
  test('the reason why a session stopped is shown whole', async () => {
    const reason =
      'Questioner brainstorm: Gemini CLI is not logged in; run `gemini` in a terminal, then try again';
    const end = { session_id: '260215-101500', status: 'paused', exit_code: 4 } as const;
    const screen = await stopped(twoSideBySide().add({ type: 'session.stopped', ...end, reason }));
    await screen.press('E');
    expect(screen.frame().replaceAll(/[\s│]+/g, ' ')).toContain(`Stopped: ${reason}`);
  });

  test('r retries the chosen failure at once and resumes the session for it, and is not sent twice', async () => {
    const screen = await stopped(ended(), 120, 36);
    await screen.press('E', 'r');
    expect(screen.intents).toEqual([
      { type: 'publish', signal: { type: 'RETRY', target: 'ALL', task: 'english', iteration: 1 } },
      { type: 'resume' },
    ]);
    const again = await stopped(
      ended().pending('r1', { type: 'RETRY', target: 'ALL', task: 'english' }),
      120,
      36,
    );
    await again.press('E', 'r', 'e');
    expect(again.rows().at(-1)).toContain('A retry of english was sent and is not read yet');
    expect(again.intents).toEqual([]);
  });

  test('e opens the composer for the chosen failure with its verdict, and says that it waits for a resume', async () => {
    const screen = await stopped(ended(), 120, 36);
    await screen.press('E', 'e');
    expect(screen.frame()).toContain('good night');
    expect(screen.frame()).toContain('Queued until you resume.');
    await screen.press('enter');
    expect(screen.intents).toMatchObject([{ type: 'publish', signal: { type: 'RETRY', task: 'english' } }]);
    await screen.press('R');
    expect(screen.intents.at(-1)).toEqual({ type: 'resume' });
  });

  test('once a retry was sent it says so, and what reads it', async () => {
    const story = ended().pending('r1', { type: 'RETRY', target: 'ALL', task: 'english' });
    const screen = await stopped(story, 120, 36);
    await screen.press('E');
    expect(screen.frame()).toMatch(/english +retry sent, failed/);
    expect(screen.frame()).toContain('R resumes the session and retries english');
    expect(screen.frame()).not.toContain('opens the chosen task again');
  });

  test('the numbers of changed files stand in columns, apart from the longest path', async () => {
    const files = [
      { path: `docs/${'a-long-name-'.repeat(4)}evening.md`, added: 120, removed: null },
      { path: 'a.txt', added: 3, removed: 12 },
      { path: `docs/${'longer-than-the-frame-'.repeat(5)}night.md`, added: 1, removed: 1 },
    ];
    const screen = await openScreen({
      story: ended(),
      connection: 'stopped',
      columns: 120,
      rows: 50,
    });
    screens.push(screen);
    await screen.press('E');
    const read = overlayChangesRef(screen.store.getState());
    screen.store.act({
      type: 'changes-read',
      key: read?.key ?? '',
      changes: { files, diff: '', cut: false, missing: null },
    });
    await screen.settle();
    const ends = screen
      .rows()
      .flatMap((row) => /(?:evening\.md|a\.txt|night\.md)( +\+\d+)/d.exec(row)?.indices?.[1] ?? []);
    expect(ends).toHaveLength(6);
    expect(new Set(ends.filter((_, index) => index % 2 === 1)).size).toBe(1);
    expect(screen.frame()).toMatch(/evening\.md +\+120 /);
    expect(screen.frame()).toMatch(/night\.md {2,}\+1 +−1 /);
  });

  test('Enter looks at the details of the failure, Esc back at the panes, q leaves', async () => {
    const screen = await stopped(ended(), 120, 36);
    await screen.press('E', 'enter');
    expect(screen.frame()).toContain(`[${tabTitle('details')}]`);
    await screen.press('E', 'escape');
    expect(screen.frame()).not.toContain('prints the report');
    await screen.press('E', 'q');
    expect(screen.intents).toEqual([{ type: 'quit', how: 'close' }]);
  });

  test('the keys of the panes close it and show the pane', async () => {
    const screen = await stopped(ended(), 120, 36);
    await screen.press('E', ...paneKeys('details'));
    expect(screen.frame()).not.toContain('prints the report');
    expect(screen.frame()).toContain(`[${tabTitle('details')}]`);
  });

  test.each([
    ['without an agent that reads words feedback is not offered', {}, false],
    ['with such an agent it is offered', { executor: 'claude' }, true],
  ])('%s', async (_, roles, offered) => {
    const story = ended();
    const events = story.events.map((event) =>
      event.type === 'session.created' || event.type === 'session.started'
        ? { ...event, settings: { ...defaultSettings, roles } }
        : event,
    );
    const screen = await stopped({ ...story, events }, 120, 36);
    await screen.press('E');
    expect(screen.frame().includes('feedback add')).toBe(offered);
  });

  test('a session that still runs has none, and E says why', async () => {
    const screen = await open({ story: twoSideBySide() });
    await screen.press('E');
    expect(screen.frame()).toContain('The session has not ended');
  });
});

test('without a session the screen holds the question what to start and nothing else', async () => {
  const screen = await open({ connection: 'stopped', columns: 120, rows: 36 });
  const install = { label: 'Codex', command: 'npm install -g codex-acp', megabytes: 457 };
  const absent = (name: string) => ({ name, about: '', problem: 'not installed', install });
  const agents = [absent('codex'), absent('claude')];
  const overlay = { kind: 'start', offers: { ...offers, agents }, cursor: 1, agent: null } as const;
  screen.store.act({ type: 'overlay-opened', overlay: { ...overlay, editor: createEditor() } });
  await screen.settle();
  expect(screen.frame()).toMatch(/ ralph-tui .*\n.* Say what should be done; agents do it/);
  expect(screen.frame()).not.toMatch(/Tasks|Inbox|Output|Plan ›|not installed/);
  expect(screen.frame()).toMatch(/This repository's checks +npm run lint, npm run test/);
  expect(screen.frame()).toMatch(/Install an agent +Codex, Codex/);
});

describe('setting out', () => {
  const start = async (): Promise<TestScreen> => {
    const screen = await open({ connection: 'stopped', columns: 120, rows: 36 });
    await openStart(screen);
    return screen;
  };

  test('letters go into the goal, and what cannot be started says why', async () => {
    const screen = await start();
    await screen.type('jq');
    expect(screen.frame()).toContain('jq');
    await screen.press('down', 'down', 'enter');
    expect(screen.frame()).toContain('"goal" is missing');
    // Read again: somebody may have mended it in an editor meanwhile.
    expect(screen.intents).toEqual([{ type: 'offer' }]);
  });

  test('the fault of the chosen plan is there in full, and that of another is cut', async () => {
    const screen = await open({ connection: 'stopped', columns: 80, rows: 24 });
    const problem =
      'plan.yaml:7: tasks[5].success_criteria: is not a known key; known: id, title, run, verify, files, criteria';
    const plans = [
      { file: 'plan.json', goal: 'Ship it', problem: null },
      { file: 'plan.yaml', goal: '', problem },
    ];
    screen.store.act({
      type: 'overlay-opened',
      overlay: {
        kind: 'start',
        offers: { ...offers, plans },
        cursor: 1,
        agent: 'gemini',
        editor: createEditor(),
      },
    });
    await screen.settle();
    expect(screen.frame()).not.toMatch(/files, criteria/);
    await screen.press('down');
    expect(screen.frame()).toMatch(/plan\.yaml +line 7: tasks\[5\]\.success_criteria/);
    expect(screen.frame()).toMatch(/files, criteria +│/);
  });

  test('what is chosen is asked for as it is; whether it is trusted is not the business of the list', async () => {
    const screen = await start();
    await screen.press('enter');
    expect(screen.intents).toEqual([{ type: 'start', start: { what: 'plan', file: 'plan.yaml' } }]);
    const demo = await start();
    await demo.press('down', 'down', 'down', 'enter');
    expect(demo.intents).toEqual([{ type: 'start', start: { what: 'demo' } }]);
  });
});

describe('the agent for a goal', () => {
  test('Tab chooses among those that can be used, and the others are named', async () => {
    const screen = await open({ connection: 'stopped', columns: 80, rows: 24 });
    await openStart(screen);
    expect(screen.frame()).toContain('◉ gemini  Gemini CLI 0.61.0, login: not checked');
    expect(screen.frame()).toMatch(/✗ claude +not installed/);
    await screen.type('Ship it');
    await screen.press('tab');
    expect(screen.frame()).toContain('◉ codex');
    await screen.press('enter');
    const start = { what: 'goal', goal: 'Ship it', agent: 'codex' };
    expect(screen.intents).toEqual([{ type: 'start', start }]);
    await screen.press('tab');
    expect(screen.frame()).toContain('◉ gemini');
  });

  test.each([
    [120, 36],
    [80, 24],
  ])(
    'a long goal is whole at %ix%i, and one that is longer than the screen says so',
    async (columns, rows) => {
      const screen = await open({ connection: 'stopped', columns, rows });
      await openStart(screen);
      const goal =
        'Ship the greetings in every language of the catalogue, first in the languages with most readers';
      await screen.type(`${goal}, then in all others`);
      const words = screen.frame().replaceAll(/[\s│]+/g, ' ');
      expect(words).toContain(`${goal}, then in all others`);
      await screen.type(`${', and then again'.repeat(100)}`);
      expect(screen.frame()).not.toContain('Ship the greetings');
      expect(screen.frame()).toMatch(/│ │ ….*and then/);
      expect(screen.frame()).toMatch(/Enter start/);
    },
  );

  const plan = offers.plans.slice(0, 1);
  const checks = { commands: ['npm test'] };
  test.each([
    ['a plan, the checks or the demo', { plans: plan, checks }],
    ['a plan or the demo', { plans: plan, checks: null }],
    ['the checks or the demo', { plans: [], checks }],
    ['the demo', { plans: [], checks: null }],
  ])(
    'without one Tab and Enter say that none is installed, and name what is there: %s',
    async (named, there) => {
      const screen = await open({ connection: 'stopped', columns: 80, rows: 24 });
      const agents = offers.agents.filter(({ problem }) => problem !== null);
      const overlay = {
        kind: 'start',
        offers: { ...offers, ...there, agents },
        cursor: 0,
        agent: null,
      } as const;
      screen.store.act({ type: 'overlay-opened', overlay: { ...overlay, editor: createEditor('Ship it') } });
      for (const key of ['tab', 'enter']) {
        await screen.press(key);
        expect(screen.frame()).toMatch(new RegExp(`╰─ No agent here takes a goal: choose ${named} ─*╯`));
        expect(screen.rows().at(-1)?.trim()).toBe('');
      }
      expect(screen.intents).toEqual([]);
    },
  );
});

test('what is said on a narrow screen is said whole: the keys give way until it is gone', async () => {
  const screen = await open({ story: twoSideBySide(), columns: 60, rows: 20 });
  const text = 'Too late: already handled by Ralph-v2-Executor';
  screen.store.act({ type: 'noticed', notice: { text, tone: 'bad' } });
  await screen.settle();
  expect(screen.rows().at(-1)?.trimEnd()).toBe(` ${text}`);
  await screen.press('j');
  expect(screen.rows().at(-1)).toContain('q quit');
});

test('the end screen says what changed, and each task with its attempts and its time', async () => {
  const scene = scenes.find(({ name }) => name === 'end');
  if (scene === undefined) throw new Error('there is no scene end');
  const screen = await openScene(scene, { columns: 120, rows: 36 });
  screens.push(screen);
  expect(screen.frame()).toMatch(/▌✗ english {5}failed +3 attempts · last 0:05/);
  expect(screen.frame()).toMatch(/✓ init +Set the workspace up +0:10/);
  expect(screen.frame()).toMatch(/12 files changed, \+96 −12\s+│\s+│ {3}src\/schema\.json +\+48/);
  // Any task can be looked at from there, and only a failed one is retried.
  await screen.press('j', 'r');
  expect(screen.frame()).toContain('This task did not fail');
  await screen.press(...paneKeys('changes'));
  expect(screen.frame()).toContain('the whole session');
});
