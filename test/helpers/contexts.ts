import type { Context } from '../../components/command.ts';
import { createStore, type Store } from '../../components/create-store.ts';
import { createEditor } from '../../components/keys/line-editor.ts';
import type { Overlay } from '../../components/overlay.ts';
import { openTalkOverlay } from '../../components/talk/talk-view.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import { createManualClock } from './manual-clock.ts';
import { sampleTalk } from './sample-talk.ts';
import { planReview, readPlan } from './scenes/plan-review.ts';
import { manyFindings, wizardAt } from './scenes/wizard.ts';
import { type Story, twoSideBySide } from './story.ts';

export const storeOf = (story: Story): Store => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(story.events);
  return store;
};

/** Longer than any overlay that shows it. */
const longText = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join('\n');

/** More late results of a runner than its window shows. */
const withLateWork = (story: Story): Story =>
  Array.from({ length: 40 }).reduce<Story>(
    (told, _, index) =>
      told.add({
        type: 'runner.late-result',
        runner: 'gpu',
        invocation: `Executor-${index}`,
        ref: `refs/ralph/late/260215-101500/Executor-${index}`,
      }),
    story,
  );

/** A session in which everything can be done: two agents at work, a failed task, a runner, a pending signal, an open gate and a question. */
export const richStory = (): Story => {
  const steer = { type: 'STEER', target: 'ALL', message: longText } as const;
  return withLateWork(twoSideBySide())
    .pending('s1', steer)
    .add({ type: 'gate.opened', gate: 'knowledge', iteration: 1, deadline_ms: null, files: ['a.md', 'b.md'] })
    .add({
      type: 'question.asked',
      kind: 'ask',
      request: 'q1',
      text: 'Which?',
      options: plainOptions(['a', 'b']),
      invocation: null,
    })
    .add(planReview);
};

export const rich = (): Store => {
  const store = storeOf(richStory());
  store.act({ type: 'focused', pane: 'inbox' });
  store.act({ type: 'moved', by: 'first' });
  readPlan(store);
  store.act({ type: 'focused', pane: 'tasks' });
  return store;
};

/** What lies over the panes in each context. */
export const overlays: {
  readonly [context in Exclude<Context, 'main' | 'replay' | 'here' | 'everywhere'>]: Overlay;
} = {
  compose: {
    kind: 'compose',
    type: 'STEER',
    recipient: { target: 'ALL', task: null },
    apply: null,
    editor: createEditor('use bar'),
  },
  confirm: {
    kind: 'confirm',
    subject: { kind: 'abort' },
    editor: createEditor('ABORT'),
  },
  knowledge: { kind: 'knowledge', cursor: 0, chosen: [], top: 0, asking: null, editor: createEditor() },
  'knowledge-asking': {
    kind: 'knowledge',
    cursor: 0,
    chosen: [],
    top: 0,
    asking: 'approve',
    editor: createEditor(),
  },
  trust: {
    kind: 'trust',
    lines: ['plan.yaml would run 40 commands in 1 task:', ...longText.split('\n')],
    top: 0,
    intent: { type: 'resume', agreed: 'x' },
  },
  talk: { ...openTalkOverlay(sampleTalk, 'Sample'), back: 5 },
  prompt: { kind: 'prompt', what: 'search', editor: createEditor('x') },
  answer: { kind: 'answer', request: 'q1', cursor: 0, editor: createEditor() },
  'answer-choice': { kind: 'answer', request: planReview.request, cursor: 4, editor: createEditor() },
  'needs-you': { kind: 'needs-you', cursor: 0 },
  settled: { kind: 'settled', text: 'schema is already done.' },
  permission: { kind: 'permission', request: 'permission:Executor-1:1', top: 0 },
  signal: { kind: 'signal', id: 's1', top: 0 },
  help: { kind: 'help', top: 0 },
  'help-filter': { kind: 'help', top: 0, filter: { text: 'task', focused: true } },
  palette: { kind: 'palette', cursor: 0, editor: createEditor() },
  end: { kind: 'end', cursor: 0 },
  start: {
    kind: 'start',
    offers: {
      workspace: '/w',
      agents: ['gemini', 'codex'].map((name) => ({ name, about: name, problem: null })),
      plans: [{ file: 'plan.yaml', goal: 'Ship', problem: null }],
      checks: null,
    },
    cursor: 1,
    editor: createEditor(),
    agent: 'gemini',
  },
  'task-list': {
    kind: 'task-list',
    title: 'Start issue 42?',
    about: [],
    list: longText.split('\n').map((text) => ({ kind: 'item', text })),
    tasks: Array.from({ length: 9 }, (_, at) => ({
      id: `phase-${at}`,
      title: longText,
      blockedBy: at < 2 ? [] : [`phase-${at - 2}`],
    })),
    top: 0,
    intent: { type: 'start', start: { what: 'issue', issue: '42', agent: null, listed: true } },
  },
  'ready-groups': {
    kind: 'ready-groups',
    groups: Array.from({ length: 40 }, (_, at) => ({ issue: `${at + 1}`, title: longText, more: at })),
    cursor: 0,
  },
  runners: { kind: 'runners', top: 0 },
  rehearsal: { kind: 'rehearsal', stage: 'asks', lines: longText.split('\n'), top: 0 },
  statistics: { kind: 'statistics', lines: longText.split('\n'), top: 0 },
  serve: {
    kind: 'serve',
    addresses: ['http://127.0.0.1:4711/pair'],
    code: null,
    devices: Array.from({ length: 60 }, (_, index) => ({
      id: String(index),
      name: `phone ${index}`,
      scope: 'watch',
      isConnected: false,
    })),
    cursor: 30,
  },
  sessions: {
    kind: 'sessions',
    rows: [
      {
        workspace: '/w',
        session: '260215-101500',
        status: 'paused',
        progress: '1/2',
        goal: 'Ship',
        ago: '3 h ago',
        pid: null,
        shown: false,
      },
      {
        workspace: '/w',
        session: '260214-090000',
        status: 'paused',
        progress: '1/2',
        goal: 'Ship',
        ago: '3 h ago',
        pid: null,
        shown: false,
      },
    ],
    cursor: 0,
  },
  quit: { kind: 'quit', cursor: 0 },
  'plan-review': { kind: 'plan-review', request: planReview.request, cursor: 4, side: 'plan' },
  'move-issue': { kind: 'move-issue', issue: '52', cursor: 0 },
  critical: {
    kind: 'critical',
    findings: ['a', 'b'].map((name) => ({
      line: `${name}.ts:1 A path`,
      advice: 'Mend it',
      path: `/w/${name}.ts`,
    })),
    cursor: 0,
    intent: { type: 'start', start: { what: 'plan', file: 'plan.yaml' } },
  },
  form: wizardAt('avoid', manyFindings(30)),
  'form-words': wizardAt('avoid-words', []),
};

const replayed = (): Store => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'replay' });
  store.load(twoSideBySide().events);
  return store;
};

/** A store in which the commands of a context have the keys. */
export const inContext = (context: Context): Store => {
  const store = rich();
  if (context === 'replay') return replayed();
  if (context !== 'main' && context !== 'here' && context !== 'everywhere')
    store.act({ type: 'overlay-opened', overlay: overlays[context] });
  return store;
};
