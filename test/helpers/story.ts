import type { Outcome } from '../../src/agents/outcome.ts';
import type { Event, EventBody } from '../../src/pipeline/event.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import type { Signal } from '../../src/signals/signal.ts';
import { bareTask, type TaskDefinition } from '../../src/tasks/task.ts';
import { executorOutcome, plannerOutcome, reviewerOutcome } from './outcomes.ts';

/**
 * Tells a session as its events, in words close to what happens: `story.begin().tasks(diamond).runs('schema')`. Each event comes a second
 * after the one before unless `wait` says otherwise. Nothing is simulated: what is told is what the screen gets.
 */
export interface Story {
  readonly events: readonly Event[];
  /** The moment of the last event, milliseconds since the epoch. */
  readonly now: () => number;
  readonly add: (body: EventBody) => Story;
  readonly wait: (ms: number) => Story;
  /** Created, started, laid out, and in PLANNING. */
  readonly begin: (goal?: string) => Story;
  /** Planned, and in EXECUTING_BATCH of wave 1. */
  readonly tasks: (definitions: readonly TaskDefinition[]) => Story;
  readonly state: (state: Extract<EventBody, { type: 'state.entered' }>['state']) => Story;
  /** The knowledge gate opens over these files, with the state it belongs to, and waits for ever. */
  readonly knowledgeGate: (files: readonly string[]) => Story;
  readonly wave: (wave: number, tasks: readonly string[]) => Story;
  /** An Executor starts on the task. */
  readonly starts: (task: string, attempt?: number) => Story;
  /** The task's agent starts a command. */
  readonly command: (task: string, cmd: string, index?: number, of?: number) => Story;
  readonly prints: (task: string, text: string) => Story;
  readonly commandEnds: (task: string, ok?: boolean, index?: number) => Story;
  /** The task is submitted, reviewed and qualified. */
  readonly qualifies: (task: string) => Story;
  /** The task is submitted and fails its review. */
  readonly fails: (task: string, reason: string) => Story;
  readonly pending: (id: string, signal: Signal, waitsFor?: string) => Story;
  readonly claimed: (id: string, signal: Signal, by: string, checkpoint: string) => Story;
  readonly handled: (id: string, signal: Signal, by: string, action: string, checkpoint?: string) => Story;
}

export const storyStart = Date.UTC(2026, 1, 15, 3, 15, 0);

export const createStory = (): Story => {
  const events: Event[] = [];
  /** Bytes in the log of each attempt. */
  const printed = new Map<string, number>();
  const working = new Map<string, { readonly invocation: string; readonly attempt: number }>();
  let at = storyStart;
  let started = 0;
  let previous: Extract<EventBody, { type: 'state.entered' }>['state'] | null = null;

  const add = (body: EventBody): Story => {
    at += 1_000;
    events.push({ ...body, seq: events.length + 1, at: new Date(at).toISOString() });
    return story;
  };
  const invoke = (
    role: 'Planner' | 'Executor' | 'Reviewer',
    mode: Extract<EventBody, { type: 'invocation.started' }>['mode'],
    task?: string,
    attempt?: number,
  ): string => {
    started += 1;
    const invocation = `${role}-${started}`;
    add({
      type: 'invocation.started',
      invocation,
      role,
      mode,
      backend: 'script',
      cycle: 1,
      messages: [],
      ...(task === undefined ? {} : { task }),
      ...(attempt === undefined ? {} : { attempt }),
    });
    return invocation;
  };
  const workOn = (task: string): { readonly invocation: string; readonly attempt: number } => {
    const found = working.get(task);
    if (!found) throw new Error(`nobody works on ${task} in this story`);
    return found;
  };
  const ends = (invocation: string, outcome: Outcome): Story =>
    add({ type: 'invocation.ended', invocation, outcome });
  const review = (
    task: string,
    feedback: string | null,
  ): { readonly invocation: string; readonly attempt: number } => {
    const { invocation, attempt } = workOn(task);
    working.delete(task);
    ends(invocation, executorOutcome(task, attempt));
    add({ type: 'task.submitted', task, attempt, invocation, files: [`src/${task}.ts`] });
    const reviewer = invoke('Reviewer', 'TASK_REVIEW', task, attempt);
    ends(reviewer, reviewerOutcome(feedback === null ? 'Qualified' : 'Failed', feedback ?? ''));
    return { invocation: reviewer, attempt };
  };

  const story: Story = {
    events,
    now: () => at,
    add,
    wait: (ms) => {
      at += ms - 1_000;
      return story;
    },
    begin: (goal = 'Ship the greeting service') => {
      const settings = { ...defaultSettings, permissions: 'workspace' };
      add({
        type: 'session.created',
        session_id: '260215-101500',
        workspace: '/work/greetings',
        goal,
        source: 'plan',
        settings,
      });
      add({
        type: 'session.started',
        reason: 'run',
        pid: 4711,
        epoch: 1,
        program: 'ralph-tui 0.1.0',
        settings,
        attended: true,
      });
      add({ type: 'plan-item.marked', item: 'plan-init', mark: 'done' });
      return story.state('PLANNING');
    },
    tasks: (definitions) => {
      const invocation = invoke('Planner', 'TASK_BREAKDOWN');
      ends(invocation, plannerOutcome('TASK_BREAKDOWN'));
      add({ type: 'tasks.defined', tasks: [...definitions], invocation });
      story.state('BATCHING');
      return story;
    },
    state: (state) => {
      add({ type: 'state.entered', state, previous });
      previous = state;
      return story;
    },
    knowledgeGate: (files) =>
      story.state('KNOWLEDGE_APPROVAL').add({
        type: 'gate.opened',
        gate: 'knowledge',
        iteration: 1,
        deadline_ms: null,
        files: [...files],
      }),
    wave: (wave, tasks) => {
      add({ type: 'wave.chosen', wave, tasks: [...tasks] });
      return story.state('EXECUTING_BATCH');
    },
    starts: (task, attempt = 1) => {
      const invocation = invoke('Executor', 'IMPLEMENT', task, attempt);
      working.set(task, { invocation, attempt });
      return add({ type: 'task.started', task, attempt, invocation, owner: 'script' });
    },
    command: (task, cmd, index = 0, of = 3) => {
      const { invocation, attempt } = workOn(task);
      return add({
        type: 'command.started',
        invocation,
        task,
        attempt,
        index,
        of,
        purpose: 'run',
        command: { cmd },
        marker: `260215-101500/${invocation}`,
      });
    },
    prints: (task, text) => {
      const { invocation, attempt } = workOn(task);
      const log = `${task}#${attempt}`;
      const byte = printed.get(log) ?? 0;
      printed.set(log, byte + new TextEncoder().encode(text).length);
      return add({ type: 'output.written', invocation, task, attempt, stream: 'stdout', text, byte });
    },
    commandEnds: (task, ok = true, index = 0) => {
      const { invocation, attempt } = workOn(task);
      const exit = ok ? 'exit 0' : 'exit 1';
      return add({ type: 'command.ended', invocation, task, attempt, index, exit, ok, duration_ms: 3_400 });
    },
    qualifies: (task) => {
      const { invocation, attempt } = review(task, null);
      return add({ type: 'task.qualified', task, attempt, invocation });
    },
    fails: (task, reason) => {
      const { invocation, attempt } = review(task, reason);
      return add({ type: 'task.failed', task, attempt, reason, counts: true, invocation });
    },
    pending: (id, signal, waitsFor = 'will be read by the agent on english') =>
      add({ type: 'signal.pending', pending: { id, file: fileOf(id), signal }, waits_for: waitsFor }),
    claimed: (id, signal, by, checkpoint) =>
      add({ type: 'signal.claimed', id, file: fileOf(id), signal, by, checkpoint }),
    handled: (id, signal, by, action, checkpoint = 'Executor.3.5') =>
      add({
        type: 'signal.handled',
        id,
        file: fileOf(id),
        signal,
        handled_by: by,
        checkpoint,
        action_taken: action,
        invocation: null,
      }),
  };
  return story;
};

const fileOf = (id: string): string => `signal.260215-031500Z-${id}.yaml`;

/** A task definition with everything optional left empty. */
export const task = (
  id: string,
  blockedBy: readonly string[] = [],
  more: Partial<TaskDefinition> = {},
): TaskDefinition => ({
  ...bareTask(id, 1),
  title: '',
  blockedBy,
  // Two that name no files would not run side by side in a shared workspace.
  files: [`src/${id}.ts`],
  ...more,
});

/** Eight tasks in four waves, with a diamond: schema, then two languages side by side, then what joins them. */
export const diamond: readonly TaskDefinition[] = [
  task('init', [], { title: 'Set the workspace up' }),
  task('schema', [], {
    title: 'Generate the schema',
    objective: 'One JSON schema for all greetings.',
    criteria: ['schema.json validates', 'every language is covered'],
    files: ['src/schema.json'],
  }),
  task('english', ['init', 'schema'], { title: 'English greetings', objective: 'Say hello in English.' }),
  task('vietnamese', ['init', 'schema'], { title: 'Vietnamese greetings' }),
  task('service', ['english', 'vietnamese'], { title: 'The greeting service' }),
  task('docs', ['schema'], { title: 'Reference pages' }),
  task('load-test', ['service'], { title: 'Load test' }),
  task('release', ['service', 'docs'], { title: 'Release notes and version' }),
];

/** Two tasks of wave 2 side by side: `english` prints, `vietnamese` has just begun. */
export const twoSideBySide = (): Story =>
  createStory()
    .begin()
    .tasks(diamond)
    .wave(1, ['init', 'schema'])
    .starts('init')
    .starts('schema')
    .command('init', 'npm ci')
    .prints('init', 'added 171 packages in 3s\n')
    .commandEnds('init')
    .command('schema', 'node tools/gen.js')
    .prints('schema', 'wrote src/schema.json\n')
    .commandEnds('schema')
    .qualifies('init')
    .qualifies('schema')
    .state('BATCHING')
    .wave(2, ['english', 'vietnamese', 'docs'])
    .starts('english')
    .starts('vietnamese')
    .command('english', 'node tools/greet.js en')
    .prints('english', 'reading src/schema.json\n12 greetings\nwrote src/en.json\n')
    .commandEnds('english')
    .command('vietnamese', 'node tools/greet.js vi')
    .prints('vietnamese', 'reading src/schema.json\n')
    .command('english', 'npm test -- --grep english', 1)
    .prints('english', '  ok 1 - hello\n  ok 2 - good morning\n  0%\r 40%\r 80%')
    .wait(12_000);
