import type { TaskDefinition } from '../../../tasks/task.ts';
import type { PlanAnswer } from '../../answers.ts';
import type { Brief, Message } from '../../port.ts';
import { summarize } from '../../roles/messages.ts';
import { answered, type ScriptTurn } from './script-turn.ts';

/**
 * REBREAKDOWN_TASK without a model. After an escalation the task keeps its id and commands, and its objective becomes the person's request. After
 * failures its commands become 2 to 4 smaller sequential tasks, so that the working part does not run again with the failing one.
 */
export const rebreakdownTask: ScriptTurn = async ({ brief }, ask) => {
  const { task } = brief;
  if (!task) return { kind: 'failed', fault: { code: 'no-task', what: 'rebreakdown-task needs a task' } };
  const escalation = escalationOf(task, ask.messages);
  return answered(escalation ? rewritten(task, escalation) : split(task, takenIds(brief)));
};

/** The last message that redefined the task. The state machine leaves it under the task's id. */
const escalationOf = (task: TaskDefinition, messages: readonly Message[]): Message | undefined =>
  messages.findLast((message) => message.id.startsWith(`escalation:${task.id}:`));

const rewritten = (task: TaskDefinition, escalation: Message): PlanAnswer => {
  const objective = escalation.text;
  return {
    approach: [],
    notes: [`${task.id} was redefined: ${summarize(objective)}`],
    tasks: [
      {
        ...task,
        objective,
        notes: [task.notes, `Before it was redefined: ${task.objective || task.title}`]
          .filter((line) => line.trim() !== '')
          .join('\n'),
      },
    ],
    plan: null,
  };
};

const split = (task: TaskDefinition, taken: ReadonlySet<string>): PlanAnswer => {
  const groups = cut(task);
  if (groups.length < 2) {
    const note = `${task.id} has one command and cannot be split`;
    return {
      approach: [],
      notes: [note],
      tasks: [{ ...task, notes: `${task.notes}\n${note}`.trim() }],
      plan: null,
    };
  }
  const parts: TaskDefinition[] = [];
  for (const [index, group] of groups.entries()) {
    const last = index === groups.length - 1;
    const before = parts.at(-1);
    parts.push({
      ...task,
      ...group,
      id: freeId(task.id, index + 1, taken),
      title: `${task.title} (${index + 1} of ${groups.length})`,
      blockedBy: before ? [before.id] : task.blockedBy,
      // The files of the whole task can only exist after its last part.
      files: last ? task.files : [],
      criteria: last ? task.criteria : [],
      on_steer: last ? task.on_steer : null,
      replaced_by: [],
      notes: `Part of ${task.id}. ${task.notes}`.trim(),
    });
  }
  return { approach: [], notes: [`${task.id} was split into ${groups.length}`], tasks: parts, plan: null };
};

type Group = Pick<TaskDefinition, 'run' | 'verify'>;

/** Two to four groups of commands of nearly equal length. A single command is split from its verification. */
const cut = (task: TaskDefinition): readonly Group[] => {
  const { run, verify } = task;
  if (run.length === 1 && verify.length > 0)
    return [
      { run, verify: [] },
      { run: [], verify },
    ];
  const count = Math.min(4, run.length);
  return Array.from({ length: count }, (_, index) => ({
    run: run.slice(Math.floor((index * run.length) / count), Math.floor(((index + 1) * run.length) / count)),
    verify: index === count - 1 ? verify : [],
  }));
};

const takenIds = (brief: Brief): ReadonlySet<string> =>
  new Set(brief.tasks.map((known) => known.definition.id));

/** `build.1`, or the next free variant. Ids have at most 64 characters. */
const freeId = (id: string, part: number, taken: ReadonlySet<string>): string => {
  for (let extra = ''; ; extra += 'x') {
    const tail = `.${part}${extra}`;
    const name = `${id.slice(0, 64 - tail.length)}${tail}`;
    if (!taken.has(name)) return name;
  }
};
