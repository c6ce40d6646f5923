import type { Issue } from '../../src/issues/issue.ts';
import { createFlowTask, type TaskSubject } from '../../src/issues/task-list/flow-task.ts';
import { storedTask } from '../../src/issues/task-list/stored-task.ts';
import type { EventBody } from '../../src/pipeline/event.ts';
import type { FlowStart } from '../../src/pipeline/modes/flow/flow-state.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import type { TaskDefinition } from '../../src/tasks/task.ts';
import { issue } from './issues.ts';
import { executorOutcome } from './outcomes.ts';
import { createStory, type Story } from './story.ts';

const one = issue('42', {
  title: 'Write the greeting in Vietnamese',
  state: 'Research Needed',
  estimate: 'S',
});
const two = issue('43', {
  title: 'Write the greeting in English',
  state: 'Research Needed',
  blockedBy: ['42'],
});
const three = issue('44', { title: 'Let the start page choose a language', state: 'Research Needed' });
export const flowIssues: readonly Issue[] = [one, two, three];

const defined = (subject: TaskSubject): TaskDefinition =>
  storedTask(createFlowTask(subject), { iteration: 1 });

/** The list of two streams: 42 and 43 in order, and 44 alone. */
const list: readonly TaskDefinition[] = [
  ...flowIssues.map((each) => defined({ phase: 'research', issues: [each], span: 'issue', blockedBy: [] })),
  ...[[one, two], [three]].flatMap((issues) => {
    const [first] = issues;
    const id = first?.id ?? '';
    const span = 'stream' as const;
    const research = issues.map((each) => `research-${each.id}`);
    return [
      defined({ phase: 'plan', issues, span, blockedBy: research }),
      defined({ phase: 'review', issues, span, blockedBy: [`plan-${id}_stream`], gate: 'human' }),
      ...issues.map((each, at) =>
        defined({
          phase: 'implement',
          issues: [each],
          span,
          blockedBy: [at === 0 ? `review-${id}_stream` : `implement-${issues[at - 1]?.id}_stream`],
        }),
      ),
      defined({ phase: 'pr', issues, span, blockedBy: [`implement-${issues.at(-1)?.id}_stream`] }),
      defined({ phase: 'merge', issues, span, blockedBy: [`pr-${id}_stream`] }),
    ];
  }),
];

const start: FlowStart = {
  issue: '42',
  only: false,
  tracker: 'native',
  review: 'human',
  auto_merge: true,
  fill: 'fresh',
  holder: { machine: 'laptop', workspace: '/work/greetings', session: '260215-101500' },
};

/** A flow over three issues in two streams, all in research: `flowStory().begins('research-42')`. */
export interface FlowStory extends Story {
  /** An agent starts on the task: that of this worker, in a team. */
  readonly begins: (task: string, worker?: string) => FlowStory;
  /** Its result is kept, and the issues move. */
  readonly ends: (
    task: string,
    result?: Readonly<Record<string, unknown>>,
    moved?: Readonly<Record<string, Issue['state']>>,
  ) => FlowStory;
  /** An agent works on each task to its end. */
  readonly through: (...tasks: readonly string[]) => FlowStory;
  /** The validator sends the plan to a person. */
  readonly refuses: (review: string, issues: readonly string[]) => FlowStory;
}

export const flowStory = (): FlowStory => {
  const story = createStory();
  const states = new Map<string, Issue['state']>(flowIssues.map(({ id, state }) => [id, state]));
  const moves = (to: Readonly<Record<string, Issue['state']>>) =>
    Object.entries(to).map(([id, state]) => {
      const from = states.get(id) ?? 'Backlog';
      states.set(id, state);
      return { issue: id, from, to: state };
    });
  const add = (body: EventBody): FlowStory => {
    story.add(body);
    return flow;
  };
  const invocations = new Map<string, string>();
  const flow: FlowStory = {
    ...story,
    begins: (task, worker) => {
      if (worker !== undefined) add({ type: 'task.claimed', task, worker });
      const invocation = `Executor-${invocations.size + 1}`;
      invocations.set(task, invocation);
      add({
        type: 'invocation.started',
        invocation,
        role: 'Executor',
        mode: 'IMPLEMENT',
        backend: 'gemini',
        cycle: 1,
        messages: [],
        task,
        attempt: 1,
        ...(worker === undefined ? {} : { worker }),
      });
      return add({ type: 'task.started', task, attempt: 1, invocation, owner: 'gemini' });
    },
    ends: (task, result = {}, to = {}) => {
      const invocation = invocations.get(task) ?? '';
      add({
        type: 'invocation.ended',
        invocation,
        outcome: executorOutcome(task, 1),
      });
      add({ type: 'task.submitted', task, attempt: 1, invocation, files: [], result });
      return add({ type: 'result.recorded', task, result, moved: moves(to), created: [] });
    },
    through: (...tasks) => {
      for (const task of tasks) {
        flow.begins(task).ends(task);
        add({ type: 'task.qualified', task, attempt: 1, commit: 'skipped' });
      }
      return flow;
    },
    refuses: (review, issues) => {
      const reason = 'the plan was rejected 3 times';
      flow.begins(review).ends(review, { result: 'NEEDS_ITERATION' });
      const moved = moves(Object.fromEntries(issues.map((id) => [id, 'Human Needed'])));
      add({ type: 'plan.decided', task: review, verdict: 'refused', by: 'the validator', reason, moved });
      add({ type: 'task.cancelled', task: review, reason });
      const off = list.filter(({ metadata, id, phase }) => {
        const own = metadata?.['issues'];
        return id !== review && phase !== 'research' && JSON.stringify(own) === JSON.stringify(issues);
      });
      for (const { id } of off.filter((each) => each.phase !== 'plan'))
        add({ type: 'task.cancelled', task: id, reason: `${issues.join(', ')} is Human Needed` });
      return flow;
    },
  };
  const settings = { ...defaultSettings, permissions: 'edits' as const };
  add({
    type: 'session.created',
    session_id: '260215-101500',
    workspace: '/work/greetings',
    goal: 'GH-42: Write the greeting in Vietnamese (and 2 more issues in its group)',
    source: 'goal',
    settings,
    mode: 'flow',
    flow: start,
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
  story.state('PLANNING');
  add({
    type: 'issues.read',
    issues: flowIssues.map(({ body: _, comments: __, ...rest }) => rest),
    planned: [],
    files: { 42: ['src/vi.json'], 43: ['src/vi.json'], 44: ['src/page.ts'] },
    returned: [],
  });
  add({ type: 'tasks.defined', tasks: [...list] });
  story.state('EXECUTING_BATCH');
  return flow;
};
