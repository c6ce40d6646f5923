import { noTerminalPort } from '../../../components/ports/terminal-port.ts';
import { paneKeys } from '../pane-key.ts';
import { createStory, type Story, task, twoSideBySide } from '../story.ts';
import type { Scene } from './scene.ts';

const steer = {
  type: 'STEER',
  target: 'Executor',
  task: 'english',
  message: "Use 'xin chào' instead of 'chào bạn'",
} as const;
const pause = { type: 'PAUSE', target: 'ALL', from: 'kim@host' } as const;

const pausing = (): Story =>
  twoSideBySide()
    .pending('aaa1', pause, 'will be read within a second')
    .claimed('aaa1', pause, 'Orchestrator', 'Orchestrator.watch')
    .add({ type: 'hold.requested', signal: 'aaa1', by: 'kim' })
    .handled('aaa1', pause, 'Ralph-v2-Orchestrator', 'pausing', 'Orchestrator.watch');

const paused = (): Story =>
  pausing()
    .commandEnds('vietnamese')
    .add({ type: 'invocation.paused', invocation: 'Executor-7', checkpoint: 'Executor.3.5', continuation: 1 })
    .commandEnds('english', true, 1)
    .add({ type: 'invocation.paused', invocation: 'Executor-6', checkpoint: 'Executor.3.5', continuation: 1 })
    .add({ type: 'hold.begun', processes: 0 })
    .pending('bbb2', steer, 'delivered on resume')
    .add({ type: 'signal.queued', id: 'bbb2', reason: 'held' });

const failing = (): Story => {
  const story = twoSideBySide()
    .commandEnds('english', false, 1)
    .fails('english', '2 of 14 tests failed: good night, see you')
    .starts('english', 2)
    .command('english', 'npm test -- --grep english')
    .prints('english', 'not ok 3 - good night\n')
    .commandEnds('english', false)
    .fails('english', '1 of 14 tests failed: good night')
    .starts('english', 3)
    .command('english', 'npm test -- --grep english')
    .commandEnds('english', false);
  return story
    .fails('english', '1 of 14 tests failed: good night')
    .commandEnds('vietnamese')
    .qualifies('vietnamese');
};

const gate = (): Story =>
  twoSideBySide()
    .state('SESSION_REVIEW')
    .state('KNOWLEDGE_EXTRACTION')
    .add({
      type: 'knowledge.staged',
      files: ['how-to/add-a-language.md', 'reference/schema.md', 'explanation/why-one-schema.md'],
      carried: [],
      dropped: [],
    })
    .knowledgeGate(['how-to/add-a-language.md', 'reference/schema.md', 'explanation/why-one-schema.md']);

const stoppedAtTheGate = {
  type: 'session.stopped',
  session_id: '260215-101500',
  status: 'paused',
  reason: 'quit',
  exit_code: 4,
} as const;

/** Every task done, two lessons kept. */
export const finished = (): Story => {
  const story = twoSideBySide().commandEnds('english', true, 1).commandEnds('vietnamese');
  story.qualifies('english').qualifies('vietnamese');
  for (const id of ['docs', 'service', 'load-test', 'release']) story.starts(id).qualifies(id);
  return story
    .state('COMPLETE')
    .add({ type: 'knowledge.promoted', files: ['reference/schema.md', 'how-to/add-a-language.md'] })
    .add({
      type: 'session.stopped',
      session_id: '260215-101500',
      status: 'completed',
      reason: 'completed',
      exit_code: 0,
    });
};

const wideNames = (): Story =>
  createStory()
    .begin('多言語の挨拶サービスを出荷する: every greeting in every language of the world and then some')
    .tasks([
      task('t1', [], { title: '日本語の挨拶を追加する。とても長い名前のタスクです。本当に長い。' }),
      task('a-task-with-a-very-long-identifier-that-goes-on-and-on-to-64-chars', [], { title: 'Long' }),
      task('t3', ['t1'], {
        title:
          'Cafe\u0301 au lait \u{1F468}\u200d\u{1F469}\u200d\u{1F467} family and \u{1F1FB}\u{1F1F3} flag',
      }),
    ])
    .wave(1, ['t1'])
    .starts('t1')
    .command(
      't1',
      'echo 日本語の挨拶を追加する。とても長い名前のタスクです。本当に長い。とても長い名前のタスクです。',
    )
    .prints(
      't1',
      '進捗 ████████ 100% すべての挨拶が追加されましたすべての挨拶が追加されましたすべての挨拶が追加されました\n',
    )
    .pending(
      'w1',
      {
        type: 'STEER',
        target: 'Executor',
        task: 't1',
        message: '「こんにちは」の代わりに「おはようございます」を使ってください',
      },
      'read when the command ends',
    );

/** The panes at work, composing, the knowledge gate, confirming and leaving. */
export const steeringScenes: readonly Scene[] = [
  { name: 'empty-start' },
  {
    name: 'planning',
    story: () =>
      createStory().begin().add({
        type: 'invocation.started',
        invocation: 'Questioner-1',
        role: 'Questioner',
        mode: 'brainstorm',
        backend: 'script',
        cycle: 1,
        messages: [],
        item: 'plan-brainstorm',
      }),
  },
  { name: 'two-side-by-side', story: twoSideBySide },
  { name: 'pausing', story: pausing },
  { name: 'paused-with-queued-steer', story: paused },
  {
    name: 'compose',
    story: twoSideBySide,
    act: async (screen) => {
      await screen.press('s');
      await screen.type("Use 'xin chào' instead of 'chào bạn'.");
    },
  },
  { name: 'compose-while-paused', story: paused, act: (screen) => screen.press('i', 'O', 'K') },
  { name: 'confirm-abort', story: twoSideBySide, act: (screen) => screen.press('A', 'A', 'B') },
  {
    name: 'knowledge-gate',
    story: gate,
    options: {
      previews: {
        'how-to/add-a-language.md':
          '# Add a language\n\nCopy `src/en.json`, translate the values, and run the generator.',
        'reference/schema.md': '# The schema\n\nEvery greeting has a `text` and a `formal` flag.',
      },
    },
    act: (screen) => screen.press('u', 'space', 'down', 'space'),
  },
  {
    name: 'knowledge-long-titles',
    story: () =>
      twoSideBySide().knowledgeGate(['how-to/a.md', 'reference/b.md', 'explanation/c.md', 'notes.txt']),
    options: {
      previews: {
        'how-to/a.md':
          '# Commands that work: translate the greetings of the service into every language it is asked for\n\n## Generate the schema\n\nOne.\n\n## Translate the greetings\n\nTwo.',
        'reference/b.md':
          '# 挨拶のスキーマとその生成のしかたについての長い見出し\n\nEvery greeting has a `text` and a `formal` flag, and the generator refuses others.',
        'explanation/c.md': '# Why one schema',
      },
    },
    act: (screen) => screen.press('u', 'down'),
  },
  {
    name: 'knowledge-preview',
    story: gate,
    options: {
      previews: {
        'how-to/add-a-language.md': `# Add a language\n\n${Array.from({ length: 60 }, (_, index) => `${index + 1}. Step ${index + 1} of adding a language to the greetings.`).join('\n')}`,
      },
    },
    act: (screen) => screen.press('u', 'pagedown'),
  },
  {
    // What `e` edits is what will be kept: the gate shows it as the editor left it.
    name: 'knowledge-edited',
    story: gate,
    options: {
      previews: { 'how-to/add-a-language.md': '# Add a language, as kim puts it\n\nThree steps, no more.' },
      terminal: { ...noTerminalPort, open: () => Promise.resolve() },
    },
    act: (screen) => screen.press('u', 'e'),
  },
  {
    name: 'end-with-lessons',
    story: () => gate().add(stoppedAtTheGate),
    options: { connection: 'stopped' },
    act: async (screen) => {
      screen.store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: true });
      await screen.press('E');
    },
  },
  {
    name: 'end-later',
    story: gate,
    act: (screen) => screen.press('E', 'l'),
  },
  { name: 'compose-retry', story: failing, act: (screen) => screen.press('g', 'j', 'j', 'e') },
  { name: 'knowledge-gate-approve', story: gate, act: (screen) => screen.press('u', 'a', 'o', 'k') },
  { name: 'help', story: twoSideBySide, act: (screen) => screen.press('?') },
  { name: 'quit', story: twoSideBySide, act: (screen) => screen.press('q') },
  {
    name: 'quit-with-all-choices',
    story: twoSideBySide,
    options: { canLeaveRunning: true },
    act: async (screen) => {
      screen.store.act({ type: 'hosting', sessions: [{ session: '260214-090000', calls: [] }] });
      await screen.press('q');
    },
  },
  { name: 'failed-task', story: failing },
  { name: 'details', story: failing, act: (screen) => screen.press('g', 'j', 'j', 'enter') },
  { name: 'events', story: twoSideBySide, act: (screen) => screen.press(...paneKeys('events')) },
  { name: 'finished', story: finished },
  { name: 'long-and-wide-names', story: wideNames },
  { name: 'ascii', story: paused, options: { theme: { ascii: true } } },
];
