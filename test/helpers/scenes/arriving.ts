import { createEditor } from '../../../components/keys/line-editor.ts';
import type { ViewerPort } from '../../../components/ports/viewer-port.ts';
import type { TestScreen } from '../screen.tsx';
import { type Story, twoSideBySide } from '../story.ts';
import type { Scene } from './scene.ts';
import { finished } from './steering.ts';

/** Ended with one task failed for good, and two lessons that wait for the next iteration. */
export const ended = (): Story => {
  const story = twoSideBySide().commandEnds('english', false, 1);
  for (const attempt of [2, 3])
    story
      .fails('english', 'a test failed')
      .starts('english', attempt)
      .command('english', 'npm test')
      .commandEnds('english', false);
  return story
    .prints('english', 'ok 1 - hello\nnot ok 2 - good night\n# 1 of 2 failed\n')
    .fails('english', '1 of 14 tests failed: "good night" is said in the morning')
    .commandEnds('vietnamese')
    .qualifies('vietnamese')
    .add({
      type: 'knowledge.staged',
      files: [],
      carried: ['reference/schema.md', 'how-to/add.md'],
      dropped: [],
    })
    .state('COMPLETE')
    .add({
      type: 'session.stopped',
      session_id: '260215-101500',
      status: 'awaiting_feedback',
      reason: 'failed tasks',
      exit_code: 1,
    });
};

/** Ready groups of a tracker. */
export const offeredIssues = [
  { issue: '42', title: 'Greet in Vietnamese', more: 2 },
  { issue: '52', title: 'Show the time in the greeting', more: 0 },
];

export const offers = {
  workspace: '/work/greetings',
  agents: [
    { name: 'gemini', about: 'Gemini CLI 0.61.0, login: not checked, in /usr/bin/gemini', problem: null },
    { name: 'codex', about: 'Codex 2.6.0, login: not checked, in /usr/bin/codex-acp', problem: null },
    {
      name: 'claude',
      about: '',
      problem: 'not installed: npm install -g @agentclientprotocol/claude-agent-acp@0.100.0 (about 179 MB)',
    },
  ],
  plans: [
    {
      file: 'plan.yaml',
      goal: 'Ship the greeting service',
      problem: null,
    },
    { file: 'plan.json', goal: '', problem: 'plan.json: "goal" is missing' },
  ],
  checks: { commands: ['npm run lint', 'npm run test'] },
};

/** A session that nobody runs, as a viewer of ours shows it. */
export const nobodyRuns = async (screen: TestScreen): Promise<void> => {
  screen.store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: true });
  await screen.settle();
};

const comingBack = async (screen: TestScreen): Promise<void> => {
  await nobodyRuns(screen);
  const text = 'Since you left: 4 done, 1 failed, 2 wait for you';
  screen.store.act({ type: 'noticed', notice: { text, tone: 'info', stays: true } });
  screen.clock.advance(3 * 3_600_000);
  await screen.settle();
};

/** The start screen, as on opening a workspace without a session. */
export const openStart = async (screen: TestScreen): Promise<void> => {
  screen.store.act({
    type: 'overlay-opened',
    overlay: { kind: 'start', offers, cursor: 1, editor: createEditor(), agent: 'gemini' },
  });
  await screen.settle();
};

const openWithIssues = async (screen: TestScreen): Promise<void> => {
  await openStart(screen);
  screen.store.act({ type: 'issues-offered', issues: offeredIssues, problem: null });
  await screen.settle();
};

/** The groups of issues for `run --mode hero`. */
const openReadyGroups = async (screen: TestScreen): Promise<void> => {
  screen.store.act({
    type: 'overlay-opened',
    overlay: { kind: 'ready-groups', groups: offeredIssues, cursor: 1 },
  });
  await screen.settle();
};

/** The tasks of a group in two streams, as `run --issue` lists them. */
const openTaskList = async (screen: TestScreen): Promise<void> => {
  await openStart(screen);
  const tasks = ['42', '43'].flatMap((id) => [
    { id: `research-${id}`, title: `Research GH-${id} → analyst`, blockedBy: [] },
    { id: `plan-${id}_stream`, title: `Plan stream GH-${id} → builder`, blockedBy: [`research-${id}`] },
    {
      id: `review-${id}_stream`,
      title: `Review stream GH-${id} → validator and you`,
      blockedBy: [`plan-${id}_stream`],
    },
    {
      id: `implement-${id}_stream`,
      title: `Implement GH-${id} → builder`,
      blockedBy: [`review-${id}_stream`],
    },
    {
      id: `pr-${id}_stream`,
      title: `Open stream GH-${id} → integrator`,
      blockedBy: [`implement-${id}_stream`],
    },
  ]);
  screen.store.act({
    type: 'overlay-opened',
    overlay: {
      kind: 'task-list',
      title: 'Start issue 42?',
      about: [
        { kind: 'text', text: 'Next: 42, 43 need research.' },
        {
          kind: 'text',
          text: '10 tasks are left. Plans are reviewed by the validator and a person; nothing is merged.',
        },
        { kind: 'bad', text: '51 needs a person: the plan was rejected 3 times' },
      ],
      list: ['42', '43'].flatMap((issue) => [
        { kind: 'heading', text: `Stream ${issue}: ${issue}` } as const,
        ...tasks
          .filter(({ id }) => id.includes(`-${issue}`))
          .map(({ id, title, blockedBy }) => {
            const after = blockedBy.map((each) => `  ← ${each}`).join('');
            return { kind: 'item', text: `${id}  ${title}${after}` } as const;
          }),
      ]),
      tasks,
      top: 0,
      intent: { type: 'start', start: { what: 'issue', issue: '42', agent: 'gemini', listed: true } },
    },
  });
  await screen.settle();
};

/** What a start asks about: a plan that changed, and a configuration that nobody has seen yet. */
const openTrust = async (screen: TestScreen): Promise<void> => {
  await openStart(screen);
  screen.store.act({
    type: 'overlay-opened',
    overlay: {
      kind: 'trust',
      lines: [
        'plan.yaml: changed since you trusted it on 2026-02-14 09:12.',
        'It would run 14 commands in 12 tasks and sets 1 key:',
        '  sets permissions: "workspace"',
        '  schema: node tools/schema.js --languages en,de,ja,vi --out build/schema.json --strict --report build/schema-report.md',
        '  schema: verify: test -s build/schema.json',
        ...Array.from({ length: 12 }, (_, index) => `  greet-${index + 1}: npm run greet -- ${index + 1}`),
        '',
        '.ralph/config.yaml sets 2 keys:',
        '  commit: true',
        '  agents: {"own":{"type":"command","command":["./bin/agent"]}}',
      ],
      top: 0,
      intent: { type: 'start', start: { what: 'plan', file: 'plan.yaml' }, agreed: 'x' },
    },
  });
  await screen.settle();
};

const openSessions = async (screen: TestScreen): Promise<void> => {
  await nobodyRuns(screen);
  const row = {
    workspace: '/work/greetings',
    status: 'paused',
    progress: '3/8',
    goal: 'Ship the greeting service',
    ago: '3 h ago',
    pid: null,
  };
  const rows = [
    { ...row, session: '260215-101500', shown: true },
    { ...row, session: '260214-090000', shown: false, status: 'in progress', pid: 4711 },
    {
      ...row,
      session: '260213-173000',
      shown: false,
      status: 'completed',
      progress: '12/12',
      workspace: '/home/kim/work/customers/north/services/greetings-and-farewells',
      ago: '2 days ago',
    },
  ];
  screen.store.act({ type: 'overlay-opened', overlay: { kind: 'sessions', rows, cursor: 1 } });
  await screen.settle();
};

/** What git says of the session's files. */
const withChanges: ViewerPort = {
  readLog: () => Promise.resolve(null),
  searchLog: () => () => {},
  readReport: () => Promise.resolve(null),
  readDocument: () => Promise.resolve(null),
  readChanges: () =>
    Promise.resolve({
      files: [
        { path: 'src/schema.json', added: 48, removed: 0 },
        { path: 'src/vi.json', added: 12, removed: 3 },
        { path: 'build/hello.png', added: null, removed: null },
        ...Array.from({ length: 9 }, (_, index) => ({ path: `docs/page-${index}.md`, added: 4, removed: 1 })),
      ],
      diff: '',
      cut: false,
      missing: null,
    }),
};

const options = { connection: 'stopped' } as const;

/** Coming back, the end screen, setting out, other sessions. */
export const arrivingScenes: readonly Scene[] = [
  { name: 'coming-back', story: () => twoSideBySide().wait(60_000), options, act: comingBack },
  {
    name: 'end',
    story: ended,
    options: { ...options, viewer: withChanges },
    act: async (screen) => {
      await nobodyRuns(screen);
      await screen.press('E');
    },
  },
  {
    name: 'end-success',
    story: finished,
    options: { ...options, viewer: withChanges },
    act: async (screen) => {
      await nobodyRuns(screen);
      await screen.press('E');
    },
  },
  { name: 'start', options, act: openStart },
  { name: 'start-issues', options, act: openWithIssues },
  { name: 'task-list', options, act: openTaskList },
  { name: 'ready-groups', options, act: openReadyGroups },
  { name: 'trust', options, act: openTrust },
  { name: 'sessions', story: twoSideBySide, options, act: openSessions },
];
