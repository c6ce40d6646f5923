import { readText } from '../../../base/replace-file.ts';
import { type Issue, readUnprocessedFeedback } from '../../../session/feedback.ts';
import { commandsIn, namesTask } from '../../../session/feedback-work.ts';
import { sessionPaths } from '../../../session/paths.ts';
import type { TaskDefinition } from '../../../tasks/task.ts';
import type { PlanAnswer } from '../../answers.ts';
import type { TaskBrief } from '../../port.ts';
import { oneLine } from '../../roles/markdown.ts';
import { summarize } from '../../roles/messages.ts';
import { answered, type ScriptContext, type ScriptTurn } from './script-turn.ts';

/** `critical-issues`: the faults that this iteration's feedback names. */
export const criticalIssues: ScriptTurn = async (context) => answered({ issues: issuesOf(context) });

/** UPDATE: the plan of the iteration before. Its history lists the changes from the feedback. */
export const update: ScriptTurn = async (context) => {
  const { brief, disk } = context;
  const paths = sessionPaths(brief.workspace, brief.session);
  const plan =
    readText(disk, paths.iteration(brief.iteration).plan) ??
    readText(disk, paths.iteration(Math.max(1, brief.iteration - 1)).plan);
  const feedback = feedbackOf(context);
  const notes = [
    ...feedback.flatMap(({ critical }) => critical.map((issue) => `Critical ${describe(issue)}`)),
    ...feedback.flatMap(({ quality }) =>
      quality.map((issue) => `Noted, without a separate task: ${describe(issue)}`),
    ),
    ...feedback.flatMap(({ requirements }) =>
      requirements.map((text) => `New requirement: ${summarize(text)}`),
    ),
  ];
  const answer: PlanAnswer = { approach: [], notes, tasks: [], plan };
  return answered(answer);
};

/**
 * REBREAKDOWN: the tasks of iteration N+1. Unfinished tasks are inherited. A critical issue that names a task reopens it with the issue as feedback.
 * Any other issue becomes a task, whose commands are the code spans of its "Suggested Fix": `$ cmd`, or a span that reads like a command. After
 * "verify" or "check" a span is a verify command. An issue without a command becomes a task with nothing to run, because only a person or a model can
 * do it.
 */
export const rebreakdown: ScriptTurn = async (context) => {
  const { brief } = context;
  const tasks = new Map<string, TaskDefinition>();
  const notes: string[] = [];
  for (const known of brief.tasks) {
    if (isFinished(known)) continue;
    const { id } = known.definition;
    tasks.set(id, { ...known.definition, iteration: brief.iteration });
    notes.push(
      `${id} is inherited: its status was ${known.status}${known.reason ? ` (${known.reason})` : ''}`,
    );
  }
  const taken = new Set(brief.tasks.map((known) => known.definition.id));
  for (const issue of issuesOf(context)) {
    const named = brief.tasks.filter((known) => {
      const text = `${issue.text} ${issue.evidence} ${issue.fix}`;
      return known.definition.replaced_by.length === 0 && namesTask(text, known.definition.id);
    });
    for (const { definition } of named) {
      tasks.set(definition.id, reopened(tasks.get(definition.id) ?? definition, issue, brief.iteration));
      notes.push(`${definition.id} is reopened for ${describe(issue)}`);
    }
    if (named.length > 0) continue;
    const task = taskFrom(issue, freeId(issue.id, taken), brief.iteration);
    taken.add(task.id);
    tasks.set(task.id, task);
    notes.push(`${task.id} is new, for ${describe(issue)}`);
  }
  const answer: PlanAnswer = { approach: [], notes, tasks: [...tasks.values()], plan: null };
  return answered(answer);
};

const isFinished = ({ status, definition }: TaskBrief): boolean =>
  status === 'done' || status === 'cancelled' || definition.replaced_by.length > 0;

const feedbackOf = ({ brief, disk }: ScriptContext) =>
  readUnprocessedFeedback(disk, sessionPaths(brief.workspace, brief.session), brief.iteration - 1).value.map(
    ({ feedback }) => feedback,
  );

const issuesOf = (context: ScriptContext): readonly Issue[] =>
  feedbackOf(context).flatMap(({ critical }) => critical);

const describe = (issue: Issue): string => `${issue.id}: ${summarize(issue.text)}`;

/** Stores the feedback in the task, so that every later attempt gets it. */
const reopened = (task: TaskDefinition, issue: Issue, iteration: number): TaskDefinition => ({
  ...task,
  iteration,
  notes: `${task.notes}\nFeedback ${describe(issue)}`.trim(),
  metadata: {
    ...task.metadata,
    feedback: [
      ...earlierFeedback(task),
      [describe(issue), issue.fix].filter((part) => part !== '').join(' '),
    ],
  },
});

const earlierFeedback = (task: TaskDefinition): readonly unknown[] => {
  const feedback = task.metadata?.['feedback'];
  return Array.isArray(feedback) ? feedback : [];
};

const taskFrom = (issue: Issue, id: string, iteration: number): TaskDefinition => {
  const { run, verify } = commandsIn(issue.fix);
  return {
    id,
    iteration,
    title: summarize(issue.text, 80) || issue.id,
    objective: oneLine(issue.text),
    blockedBy: [],
    files: [],
    criteria: [`${issue.id} no longer happens`],
    run,
    verify,
    on_steer: null,
    type: 'Parallelizable',
    role: 'executor',
    replaced_by: [],
    grounded_in: [issue.id, issue.evidence].filter((part) => part !== '').join(': '),
    notes: issue.fix,
  };
};

const freeId = (issue: string, taken: ReadonlySet<string>): string => {
  const stem =
    issue
      .toLowerCase()
      .replaceAll(/[^a-z0-9_.-]+/gu, '-')
      .replace(/^[^a-z]+/u, '') || 'issue';
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem.slice(0, 60) : `${stem.slice(0, 58)}-${number}`;
    if (!taken.has(id)) return id;
  }
};
