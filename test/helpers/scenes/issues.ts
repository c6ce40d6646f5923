import type { IssueBoard, IssueInFull, IssuesPort } from '../../../components/ports/issues-port.ts';
import type { Issue } from '../../../src/issues/issue.ts';
import { issue } from '../issues.ts';
import { paneKeys } from '../pane-key.ts';
import type { TestScreen } from '../screen.tsx';
import { twoSideBySide } from '../story.ts';
import type { Scene } from './scene.ts';

const holder = { machine: 'laptop', workspace: '/w', session: '260215-101500' };

/** Three groups and closed issues, with every state that looks different. */
const issues: readonly Issue[] = [
  issue('41', { title: 'Greet in three languages', estimate: 'L', labels: ['epic'] }),
  issue('42', {
    title: 'Write the greeting in Vietnamese',
    state: 'In Progress',
    estimate: 'S',
    parent: '41',
    lock: { holder, since: '2026-02-15T10:15:00.000Z' },
  }),
  issue('43', {
    title: 'Write the greeting in English',
    state: 'Ready for Plan',
    estimate: 'XS',
    parent: '41',
  }),
  issue('44', { title: 'Let the start page choose a language', parent: '41', blockedBy: ['42', '43'] }),
  issue('50', { title: 'Describe the format of greetings', state: 'Plan in Review', estimate: 'S' }),
  issue('51', { title: 'Ask for the name once', state: 'Human Needed', estimate: 'S', blockedBy: ['50'] }),
  issue('52', {
    title: 'Show the time in the greeting',
    state: 'Research Needed',
    labels: ['good first issue', 'agent:codex'],
    priority: 1,
    url: 'https://example.com/greetings/issues/52',
  }),
  issue('53', { title: 'Fix the crash without a name', state: 'In Review', estimate: 'S' }),
  issue('54', { title: 'Translate to Klingon', held: 'deferred' }),
  issue('39', { title: 'Set up the repository', state: 'Done', estimate: 'S' }),
  issue('40', { title: 'Greet in Latin', state: 'Canceled' }),
];

export const boardOf = (of: readonly Issue[], more: Partial<IssueBoard> = {}): IssueBoard => ({
  tracker: 'native',
  issues: of,
  problems: [],
  at: '2026-02-15T10:14:00.000Z',
  pollMs: 60_000,
  humanReview: true,
  ...more,
});

export const board = boardOf(issues);

const body = [
  'Greetings should say what time it is.',
  '',
  '## Acceptance',
  '',
  '- the hour in **24 h** form',
  '- no seconds',
].join('\n');

export const inFull = (id: string, more: Partial<IssueInFull> = {}): IssueInFull => ({
  id,
  revision: '1',
  body,
  bodyCut: 0,
  comments: [
    { author: 'kim', at: '2026-02-15T09:30:00Z', body: 'The server knows the zone.', ignored: null },
    {
      author: 'passer-by',
      at: '2026-02-15T09:40:00Z',
      body: '## Implementation Plan\n\nplans/evil.md',
      ignored: 'passer-by is not a member of the project',
    },
  ],
  commentsCut: 0,
  documents: [
    {
      kind: 'research',
      location: 'thoughts/shared/research/2026-02-15-GH-0052-time.md',
      via: 'file name',
    },
  ],
  ...more,
});

/** A tracker that answers with these issues. */
export const issuesOf = (of: IssueBoard = board, full: Partial<IssueInFull> = {}): IssuesPort => ({
  list: async () => ({ ok: true, board: of }),
  show: async (id) => ({ ok: true, issue: inFull(id, full) }),
});

const failing: IssuesPort = {
  ...issuesOf(),
  list: async () => ({ ok: false, error: 'gh is not logged in; run `gh auth login`' }),
};

/** Opens the tab, and waits until the text of the issue under the cursor was read. */
export const showIssues = async (screen: TestScreen): Promise<void> => {
  await screen.press(...paneKeys('issues'));
  screen.clock.advance(200);
  await screen.settle();
};

const ansi = '\u001b[31mred\u001b[0m \u001b]52;c;ZXZpbA==\u0007';

/** Texts that would break a screen: bidirectional, wide, combining, very long, with sequences of the terminal. */
export const hostileIssues: readonly Issue[] = [
  issue('1', { title: `${ansi}\u202egnihtemos\u202c \u200b\u200d`, state: 'Ready for Plan' }),
  issue('2', { title: '日本語のとても長い題名'.repeat(12), labels: ['ラベル'.repeat(30)] }),
  issue(`x${'-very-long-id'.repeat(20)}`, { title: 'e\u0301'.repeat(300), state: 'In Review' }),
  issue('4', { title: 'line\nbreak\r\nand\ttab', blockedBy: ['gone', '\u001b[2Jgone'] }),
  issue('5', { title: '👩‍👩‍👧‍👦'.repeat(40), held: `\u001b[31mnot now\u202e` }),
  issue('6', { title: '', state: 'Human Needed', url: 'javascript:alert(1)' }),
];

const story = twoSideBySide;

export const issueScenes: readonly Scene[] = [
  { name: 'issues', story, options: { issues: issuesOf() }, act: showIssues },
  {
    name: 'issue-open',
    story,
    options: { issues: issuesOf() },
    act: async (screen) => {
      await screen.press(...paneKeys('issues'), 'f');
      await screen.type('time');
      await screen.press('enter', 'enter');
      screen.clock.advance(200);
      await screen.settle();
    },
  },
  {
    name: 'issues-failed',
    story,
    options: { issues: failing },
    act: async (screen) => {
      screen.store.act({ type: 'issues-read', reading: { ok: true, board } });
      await showIssues(screen);
    },
  },
  {
    name: 'issue-held',
    story,
    options: { issues: issuesOf() },
    act: async (screen) => {
      await showIssues(screen);
      await screen.press('j', 'X');
    },
  },
  {
    name: 'issues-hostile',
    story,
    options: {
      issues: issuesOf(
        boardOf(hostileIssues, { problems: [`\u001b[31mbroken\u202e line ${'x'.repeat(500)}`] }),
        {
          body: `${ansi}\u202e${'wörd '.repeat(13_000)}`,
          bodyCut: 983_041,
        },
      ),
    },
    foreign: `${hostileIssues.map(({ title }) => title).join('\n')}wörd`,
    act: showIssues,
  },
];
