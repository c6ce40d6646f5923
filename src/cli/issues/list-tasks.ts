import type { TaskList } from '../../../components/start/start-list.ts';
import { safe } from '../../base/safe.ts';
import { buildTaskList } from '../../issues/task-list/build-task-list.ts';
import { isCall } from '../../issues/task-list/calls.ts';
import type { FlowTask } from '../../issues/task-list/flow-task.ts';
import type { DetailLine } from '../../words/detail-line.ts';
import { count } from '../../words/local-time.ts';
import { costWord } from '../../words/usage-words.ts';
import type { FlowContext } from './flow-context.ts';

/** Every task that is left for the group. */
export const tasksOf = ({ index, position, review, autoMerge, streams }: FlowContext): readonly FlowTask[] =>
  buildTaskList(index, position, { review, autoMerge, streams });

/** Where the group stands, the gates, and every remaining task, before anything starts. */
export const listTasks = (context: FlowContext): TaskList => {
  const { position } = context;
  const list = tasksOf(context);
  const gates = `Plans are reviewed by ${reviewWords(context)}; ${mergeWords(context)}.`;
  const about: readonly DetailLine[] = [
    line('text', `Next: ${position.reason}.`),
    line('text', `${count(list.length, 'task')} ${list.length === 1 ? 'is' : 'are'} left. ${gates}`),
    ...(list.length === 0 ? [] : [line('text', callWords(context, list))]),
    ...(list.length === 0 ? [] : [line('text', outsideWords(context, list))]),
    ...(hasWork(list) ? checkLines(context) : []),
    ...position.escalations.map(({ issue, reason }) => line('bad', `${issue} needs a person: ${reason}`)),
  ];
  return {
    about,
    list: partsOf(context, list).flatMap(({ heading, tasks }) => [
      line('heading', heading),
      ...tasks.map((task) => line('item', taskWords(context, task))),
    ]),
    tasks: list.map((task) => ({
      id: task.id,
      title: safe(workWords(context, task)),
      blockedBy: task.blockedBy,
    })),
  };
};

/** The calls of a model, with their cost where it is known, if each task is done at the first attempt. More follow a split, a rejected plan and a failed check. */
const callWords = (context: FlowContext, list: readonly FlowTask[]): string => {
  const { phases, codeReview, callCost } = context;
  const tasks = list.filter((task) => isCall(task, context)).length;
  const reviews = codeReview.agent === null ? 0 : list.filter(({ phase }) => phase === 'implement').length;
  const afterwards = phases === 'all' ? 2 : 0;
  const calls = tasks + reviews + afterwards;
  const cost =
    callCost === null || calls === 0
      ? ''
      : `, about ${costWord({ ...callCost, amount: callCost.amount * calls })} by what earlier ones cost`;
  return `At least ${count(calls, 'call')} of a model${cost}.`;
};

const hasWork = (list: readonly FlowTask[]): boolean => list.some(({ phase }) => phase === 'implement');

/** What each implementation must pass before its branch is pushed. With `flow.auto_merge` a line before says who merges what no command checks. */
const checkLines = ({ autoMerge, isOnline, checks, codeReview }: FlowContext): readonly DetailLine[] => {
  const { agent, person } = codeReview;
  const reviewers = [...(agent === null ? [] : [agent]), ...(person ? ['you'] : [])].join(' and ');
  const passes = [
    ...(checks.length === 0 ? [] : [`must pass ${checks.map((check) => `\`${check}\``).join(', ')}`]),
    ...(reviewers === '' ? [] : [`is reviewed by ${reviewers} before it is pushed`]),
  ];
  const isUnchecked = checks.length === 0 && (isOnline || !autoMerge);
  return [
    ...(passes.length === 0 ? [] : [line('text', `Each implementation ${passes.join(' and ')}.`)]),
    ...(isUnchecked
      ? [line('bad', 'No command checks the work (loop.verify): review the branch before you merge it.')]
      : []),
  ];
};

/** Whether its document is linked by a comment on each issue. A review without a critique writes none. */
const isCommented = (context: FlowContext, task: FlowTask): boolean =>
  commented.has(task.phase) || (task.phase === 'review' && isCall(task, context));

const commented: ReadonlySet<FlowTask['phase']> = new Set(['research', 'plan', 'pr']);

/** All that others see of the run, if each task is done at the first attempt. */
const outsideWords = (context: FlowContext, list: readonly FlowTask[]): string => {
  const { isOnline, autoMerge, drafts, checks, codeReview } = context;
  const isChecked = checks.length > 0 || codeReview.agent !== null || codeReview.person;
  const issues = new Set(list.flatMap((task) => task.issues)).size;
  const comments = list.reduce((sum, task) => sum + (isCommented(context, task) ? task.issues.length : 0), 0);
  const streams = new Set(list.flatMap(({ stream }) => stream ?? []));
  const branches = [...streams].map((stream) => `ralph/${stream}`).join(', ');
  const place = isOnline ? 'On GitHub' : 'In the tracker';
  return [
    `${place}: ${isOnline ? 'state labels' : 'states'} of ${count(issues, 'issue')}, ${count(comments, 'comment')}`,
    ...(branches === ''
      ? []
      : [`${streams.size === 1 ? 'the branch' : 'the branches'} ${branches}${isOnline ? ', pushed' : ''}`]),
    ...(isOnline && streams.size > 0
      ? [
          `${count(streams.size, isChecked ? 'pull request' : 'draft pull request')}${drafts ? ', from the plan on as a draft' : ''}${autoMerge ? ', merged once their checks pass' : ''}`,
        ]
      : []),
  ]
    .join('; ')
    .concat('.');
};

const line = (kind: DetailLine['kind'], text: string): DetailLine => ({ kind, text: safe(text) });

const mergeWords = ({ autoMerge, isOnline, checks }: FlowContext): string => {
  if (!autoMerge) return 'nothing is merged';
  return isOnline || checks.length > 0
    ? 'merges follow automatically'
    : 'no command checks the work (loop.verify), so you merge it';
};

interface Part {
  readonly heading: string;
  readonly tasks: readonly FlowTask[];
}

/** The tasks of each stream, and those that belong to none: before research nothing is known of streams. */
const partsOf = ({ streams }: FlowContext, list: readonly FlowTask[]): readonly Part[] => {
  if (streams.length < 2) return [{ heading: 'Tasks', tasks: list }];
  const ofStream = ({ issues }: FlowTask) =>
    streams.find((stream) => issues.every((issue) => stream.issues.includes(issue)));
  const others = list.filter((task) => ofStream(task) === undefined);
  return [
    ...(others.length === 0 ? [] : [{ heading: 'All streams', tasks: others }]),
    ...streams.flatMap((stream) => {
      const tasks = list.filter((task) => ofStream(task) === stream);
      const heading = `Stream ${stream.primary}: ${stream.issues.join(', ')}`;
      return tasks.length === 0 ? [] : [{ heading, tasks }];
    }),
  ];
};

/** A task with who does it and what it waits for. */
export const taskWords = (context: FlowContext, task: FlowTask): string => {
  const { id, blockedBy } = task;
  const after = blockedBy.length === 0 ? '' : `  ← ${blockedBy.join(', ')}`;
  return `${id}  ${workWords(context, task)}${after}`;
};

/** "Review GH-42 → validator and you", and "→ you" where no model is called before you are. */
const workWords = (context: FlowContext, task: FlowTask): string => {
  const { subject, role, gate } = task;
  if (gate !== 'human') return `${subject} → ${role}`;
  return `${subject} → ${isCall(task, context) ? `${role} and you` : 'you'}`;
};

const reviewWords = (context: FlowContext): string => {
  const { review } = context;
  if (review === 'skip') return 'no one';
  if (review === 'auto') return 'the validator alone';
  const task = { phase: 'review', gate: 'human' } as const;
  return isCall(task, context) ? 'the validator and a person' : 'a person';
};
