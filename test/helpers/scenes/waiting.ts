import { plainOptions } from '../../../src/signals/question-kinds.ts';
import { unprovenWords } from '../../../src/signals/routing.ts';
import { paneKeys } from '../pane-key.ts';
import { createStory, type Story, task, twoSideBySide } from '../story.ts';
import type { Scene } from './scene.ts';

const asked = (): Story =>
  twoSideBySide().add({
    type: 'question.asked',
    kind: 'ask',
    request: 'q1',
    text: 'Which form of address shall the Vietnamese greetings use? The schema allows both, and the tests none.',
    options: plainOptions(['formal', 'informal']),
    invocation: null,
  });

/** A permission, a question and a gate, of which the first two can be answered in the list. */
const threeNeeds = (): Story =>
  twoSideBySide()
    .add({
      type: 'permission.asked',
      request: 'permission:Executor-1:1',
      invocation: 'Executor-1',
      task: 'english',
      attempt: 1,
      agent: 'gemini',
      kind: 'command',
      title: 'npm install --save-dev @formatjs/cli',
      command: 'npm install --save-dev @formatjs/cli',
      directory: '/work/greetings',
      paths: [],
      diffs: [],
    })
    .wait(38_000)
    .add({
      type: 'question.asked',
      kind: 'ask',
      request: 'q1',
      text: 'Which form of address shall the Vietnamese greetings use? The schema allows both, and the tests none.',
      options: plainOptions(['formal', 'informal']),
      invocation: null,
      task: 'vietnamese',
    })
    .add({
      type: 'gate.opened',
      gate: 'knowledge',
      iteration: 1,
      deadline_ms: null,
      files: ['how-to/add.md', 'reference/schema.md'],
    });

const twoNeeds = (): Story =>
  asked().add({
    type: 'gate.opened',
    gate: 'knowledge',
    iteration: 1,
    deadline_ms: null,
    files: ['reference/schema.md'],
  });

const planned = (): Story =>
  createStory()
    .begin()
    .tasks([task('init', []), task('schema', ['init']), task('docs', ['schema'])])
    .add({ type: 'gate.opened', gate: 'plan', iteration: 1, deadline_ms: null, files: ['plan.md'] });

/** A plan as a Planner writes it. */
export const plannedInFull = (): Story =>
  createStory()
    .begin()
    .tasks([
      task('init', [], {
        title: 'Set the workspace up',
        objective: 'The service has its dependencies, and `npm test` runs.',
        criteria: ['npm ci ends without a warning', 'npm test finds the tests'],
        files: ['package.json', 'package-lock.json'],
        run: [{ cmd: 'npm ci' }],
        verify: [{ cmd: 'npm test' }],
      }),
      task('schema', ['init'], {
        title: 'Generate the schema',
        objective:
          'One JSON schema holds the greetings of all languages. A greeting has a text, a form of address and a part of the day.\nThe schema is generated, so that nobody edits it by hand.',
        criteria: [
          'schema.json is valid against the meta schema of 2020-12',
          'each language has all twelve greetings',
          'the generator gives the same bytes twice',
        ],
        files: ['src/schema.json', 'tools/generate-schema.js'],
        run: [{ cmd: 'node tools/generate-schema.js > src/schema.json' }],
        verify: [
          { cmd: ['node', 'tools/check-schema.js', 'src/schema.json'] },
          { cmd: 'git diff --exit-code' },
        ],
        agent: 'gemini',
      }),
      task('english', ['schema'], { title: 'English greetings' }),
      task('vietnamese', ['schema'], { title: 'Vietnamese greetings' }),
      task('service', ['english', 'vietnamese'], { title: 'Serve them over HTTP' }),
      task('docs', ['schema'], { title: 'Reference pages' }),
    ])
    .add({ type: 'gate.opened', gate: 'plan', iteration: 1, deadline_ms: null, files: ['plan.md'] });

/** The plan after it was sent back once, beside another question. */
const plannedAgain = (): Story =>
  planned()
    .add({
      ...{ type: 'gate.decided', gate: 'plan', decision: 'skip', by: 'kim@host', signal: null },
      message: 'Write the documentation before the schema.',
    })
    .wait(40_000)
    .add({ type: 'gate.opened', gate: 'plan', iteration: 1, deadline_ms: null, files: ['plan.md'] })
    .wait(8_000)
    .add({
      ...{ type: 'question.asked', kind: 'ask', request: 'q1', options: [], invocation: null },
      text: 'Which port?',
    });

/** An ANSWER that nobody is known to have written, at the gate of the plan. */
const plannedWithFile = (): Story =>
  planned().add({
    type: 'signal.pending',
    pending: {
      id: '5f3a90c1d2'.repeat(6),
      file: 'signal.260215-101502Z-000abc.yaml',
      signal: {
        type: 'ANSWER',
        target: 'ALL',
        request: 'plan',
        option: 'approve',
        unproven: { type: 'ANSWER', from: 'kim@host' },
      },
    },
    waits_for: unprovenWords,
    unproven: true,
  });

/** Signals that say it without a message. */
const withoutWords = (): Story =>
  twoSideBySide()
    .pending('p1', { type: 'PAUSE', target: 'ALL' }, 'read within a second')
    .pending('s1', { type: 'SET', target: 'ALL', set: { 'retries.max_attempts': 5 } }, 'read within a second')
    .pending('a1', { type: 'ABORT', target: 'ALL' }, 'read within a second');

const withSignals = (): Story => {
  const info = { type: 'INFO', target: 'ALL', message: 'The release is on Friday.' } as const;
  const steer = { type: 'STEER', target: 'Executor', task: 'docs', message: 'Only in English.' } as const;
  return twoSideBySide()
    .pending('i1', info, 'will be read by the agent on english and later agents')
    .claimed('i1', info, 'Executor', 'Executor.3.5')
    .handled('i1', info, 'Ralph-v2-Executor', 'added to the context', 'Executor.3.5')
    .pending('s1', steer, 'waits for the next agent on docs')
    .pending('s2', { ...steer, message: 'And short.' }, 'waits for the next agent on docs');
};

/** What waits for a person, and signals on their way. */
export const waitingScenes: readonly Scene[] = [
  { name: 'needs-you', story: twoNeeds, act: (screen) => screen.press('u') },
  { name: 'queue', story: threeNeeds, act: (screen) => screen.press('u') },
  { name: 'question', story: asked, act: (screen) => screen.press('u', 'down') },
  { name: 'plan-gate', story: plannedInFull, act: (screen) => screen.press('u', 'down') },
  {
    name: 'plan-gate-comment',
    story: plannedInFull,
    act: async (screen) => {
      await screen.press('u', 'down');
      await screen.type('Twenty greetings, not twelve.');
      await screen.press('tab');
    },
  },
  { name: 'plan-gate-again', story: plannedAgain, act: (screen) => screen.press('u') },
  { name: 'plan-gate-file', story: plannedWithFile, act: (screen) => screen.press('u', 'enter') },
  { name: 'plan-gate-file-list', story: plannedWithFile, act: (screen) => screen.press('u') },
  {
    name: 'plan-gate-file-open',
    story: plannedWithFile,
    act: (screen) => screen.press('u', 'down', 'enter'),
  },
  {
    name: 'plan-edited',
    story: planned,
    act: async (screen) => {
      await screen.press('u');
      const text =
        'goal: g\ntasks:\n  - {id: init, title: Set up, run: [npm ci]}\n  - {id: load, title: Load test, run: [node load.js]}\n';
      screen.store.act({ type: 'plan-edited', text });
      await screen.settle();
    },
  },
  {
    name: 'plan-edited-wrong',
    story: planned,
    act: async (screen) => {
      await screen.press('u');
      const text = 'goal: g\ntasks:\n  - {id: init, title: Set up, blockedBy: [ghost]}\n';
      screen.store.act({ type: 'plan-edited', text });
      await screen.settle();
    },
  },
  { name: 'inbox', story: withSignals, act: (screen) => screen.press('tab', 'tab', 'j') },
  { name: 'inbox-without-words', story: withoutWords, act: (screen) => screen.press('tab', 'tab') },
  { name: 'processed', story: withSignals, act: (screen) => screen.press('tab', 'tab', 'tab') },
  { name: 'compose-edit', story: withSignals, act: (screen) => screen.press('tab', 'tab', 'e') },
  { name: 'confirm-withdraw', story: withSignals, act: (screen) => screen.press('tab', 'tab', 'x') },
  { name: 'confirm-cancel', story: twoSideBySide, act: (screen) => screen.press('x') },
  { name: 'zoomed', story: twoSideBySide, act: (screen) => screen.press(...paneKeys('output'), 'z') },
];
