import { z } from 'zod';
import { buildGraph } from '../../tasks/graph.ts';
import { definitionOf, type PlanTask } from '../../tasks/plan-file.ts';
import type { Command, TaskDefinition } from '../../tasks/task.ts';
import {
  collectAnswerSchema,
  implementAnswerSchema,
  newQuestionsSchema,
  planAnswerSchema,
  researchAllAnswerSchema,
  reviewAnswerSchema,
  sessionReviewAnswerSchema,
} from '../answers.ts';
import type { Brief, Mode } from '../port.ts';
import { type Contract, type Converted, contract, mostWrong, unwrapped } from './contract.ts';
import { flowContracts } from './flow-contracts.ts';
import { saysNothing } from './in-form-of.ts';
import {
  brainstormShape,
  breakdownShape,
  collectShape,
  implementShape,
  rebreakdownShape,
  researchShape,
  reviewShape,
  sessionReviewShape,
  splitShape,
  updateShape,
} from './shapes.ts';

const planned = (
  { tasks, ...rest }: { readonly tasks: readonly PlanTask[] },
  brief: Brief,
  what: 'plan' | 'changed-plan' | 'task',
): Converted => {
  const definitions = tasks.map((task, index) => withOwnText(definitionOf(task, index, brief.iteration)));
  const wrong = [
    ...strangersOf(definitions, brief),
    ...twiceIn(definitions),
    ...(what === 'plan' ? edgesOf(definitions) : what === 'task' ? takenIn(definitions, brief) : []),
  ].slice(0, mostWrong);
  return wrong.length > 0
    ? { kind: 'wrong', wrong }
    : { kind: 'answer', answer: { ...rest, tasks: definitions } };
};

/** A model names no variable of the person: in the environment of its commands `${NAME}` is text, since it could be any secret. */
const withOwnText = (task: TaskDefinition): TaskDefinition => {
  const literal = (command: Command): Command => {
    if (typeof command !== 'object' || command.env === undefined) return command;
    const env = Object.entries(command.env).map(([name, value]) => [name, asText(value)] as const);
    return { ...command, env: Object.fromEntries(env) };
  };
  return {
    ...task,
    run: task.run.map(literal),
    verify: task.verify.map(literal),
    on_steer: task.on_steer?.map(literal) ?? null,
  };
};

/** The escape that `env` of a command takes back, once. */
const asText = (value: string): string => value.replaceAll(/\$\{/g, '$$$&');

/**
 * Tasks that a Planner gives to an agent without a role in this session. Nobody agreed to its cost or to what it loads, and `script` would run the
 * Planner's commands without a question. A task keeps the agent that a person gave it.
 */
const strangersOf = (
  tasks: readonly Pick<TaskDefinition, 'id' | 'agent'>[],
  { settings: { roles }, tasks: before }: Brief,
): readonly string[] => {
  const executor = roles['executor'] ?? 'script';
  const known = new Set(Object.values(roles).filter((name) => name !== 'script' || executor === 'script'));
  const own = (id: string): string | undefined =>
    before.find(({ definition }) => definition.id === id)?.definition.agent;
  return tasks.flatMap(({ id, agent }) =>
    agent === undefined || agent === executor || known.has(agent) || agent === own(id)
      ? []
      : [`tasks: ${id} names the agent ${agent}, which has no role in this session: leave out \`agent\``],
  );
};

const twiceIn = (tasks: readonly Pick<TaskDefinition, 'id'>[]): readonly string[] => {
  const ids = tasks.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  return twice.map((id) => `tasks: the id ${id} appears twice`);
};

/** Parts with the id of another task: that one would have their definition, and would be done before they are. */
const takenIn = (
  tasks: readonly Pick<TaskDefinition, 'id'>[],
  { task, tasks: before }: Brief,
): readonly string[] => {
  const others = new Set(before.map(({ definition }) => definition.id).filter((id) => id !== task?.id));
  return tasks.flatMap(({ id }) =>
    others.has(id) ? [`tasks: ${id} is the id of another task: choose a new id`] : [],
  );
};

/** Unknown blockers and cycles. Planning refuses a plan with any of them (src/engine/README.md, States). */
const edgesOf = (tasks: Parameters<typeof buildGraph>[0]): readonly string[] => {
  const ids = tasks.map(({ id }) => id);
  const unknown = tasks.flatMap(({ blockedBy }, index) =>
    blockedBy
      .filter((other) => !ids.includes(other))
      .map((other) => `tasks[${index + 1}].blockedBy: names ${other}, which is not a task in the plan`),
  );
  const circles = buildGraph(tasks).cycles.map(
    (members) => `tasks: ${members.join(', ')} wait for each other in a cycle`,
  );
  return [...unknown, ...circles];
};

/** The turn of an explorer or of `doctor --verify`, outside any session. Its lines are read leniently, so that anything is an answer. */
const explore = contract('explore', 'research', z.looseObject({}), z.looseObject({}));

/**
 * Work and its review. Answers to orders are an extra (`steers.ts` reads them): an order answered in another form, or one that the agent never got, must
 * not cost the attempt.
 */
function workContract<T>(kind: string, mode: Mode, shape: z.ZodType<T>, reads: z.ZodType): Contract {
  const work = contract(kind, mode, shape, reads);
  return {
    ...work,
    convert: (value, brief) => {
      const { steers, ...rest } = workOf(unwrapped(shape, value));
      const converted = work.convert(rest, brief);
      return converted.kind === 'wrong' || steers === undefined
        ? converted
        : { kind: 'answer', answer: { ...plainMap.parse(converted.answer), steers } };
    },
  };
}

const plainMap = z.record(z.string(), z.unknown()).catch({});

/** Criteria as a list, whatever form they have, and no escalation that says nothing. */
const workOf = (value: unknown): Readonly<Record<string, unknown>> => {
  const { criteria, escalation, ...rest } = plainMap.parse(value);
  return {
    ...rest,
    ...(criteria === undefined ? {} : { criteria: criteriaOf(criteria) }),
    ...(typeof escalation === 'string' && saysNothing(escalation) ? {} : { escalation }),
  };
};

/** A text is a criterion that nothing is said of; a map has the verdicts by criterion. */
const criteriaOf = (criteria: unknown): unknown => {
  if (Array.isArray(criteria))
    return criteria.map((each) =>
      typeof each === 'string' ? { criterion: each, status: 'not checked' } : each,
    );
  const byName = z.record(z.string(), z.unknown()).safeParse(criteria);
  if (!byName.success || 'criterion' in byName.data) return criteria;
  return Object.entries(byName.data).map(([criterion, said]) => ({
    criterion,
    ...(typeof said === 'boolean' ? { status: said ? 'met' : 'not met' } : {}),
    ...(typeof said === 'string' ? { status: said } : {}),
    ...plainMap.parse(said),
  }));
};

/** Every turn that a model takes, in the order of the state machine. Code performs all others. */
export const contracts: readonly Contract[] = [
  contract('brainstorm', 'brainstorm', brainstormShape, newQuestionsSchema),
  contract('research', 'research', researchShape, researchAllAnswerSchema),
  contract('analyse', 'feedback-analysis', researchShape, researchAllAnswerSchema),
  contract('breakdown', 'TASK_BREAKDOWN', breakdownShape, planAnswerSchema, (answer, brief) =>
    planned(answer, brief, 'plan'),
  ),
  contract('update', 'UPDATE', updateShape, planAnswerSchema, (answer) => ({
    kind: 'answer',
    answer: { ...answer, tasks: [], plan: null },
  })),
  contract('rebreakdown', 'REBREAKDOWN', rebreakdownShape, planAnswerSchema, (answer, brief) =>
    planned(answer, brief, 'changed-plan'),
  ),
  contract('rebreakdown-task', 'REBREAKDOWN_TASK', splitShape, planAnswerSchema, (answer, brief) =>
    planned(answer, brief, 'task'),
  ),
  workContract('implement', 'IMPLEMENT', implementShape, implementAnswerSchema),
  workContract('review', 'TASK_REVIEW', reviewShape, reviewAnswerSchema),
  ...flowContracts,
  contract('review-session', 'SESSION_REVIEW', sessionReviewShape, sessionReviewAnswerSchema),
  contract('collect', 'STAGE', collectShape, collectAnswerSchema, ({ items, dropped }, brief) => ({
    kind: 'answer',
    answer: {
      dropped,
      items: items.map(({ sources, ...item }) => ({
        ...item,
        source_artifacts: sources,
        source_iteration: brief.iteration,
        staged_at: brief.at ?? '',
      })),
    },
  })),
];

/** The contract of a turn or a mode, or `null` if code does the work. */
export const contractOf = (kind: string): Contract | null =>
  [...contracts, explore].find((known) => known.kind === kind) ?? null;
export const contractOfMode = (mode: Mode): Contract | null =>
  contracts.find((known) => known.mode === mode) ?? null;

/** The JSON schema of the answer, as text for a prompt. */
export const schemaText = ({ shape }: Contract): string => {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      delete jsonSchema.propertyNames;
      // Defaults fill missing fields. A model need not know them.
      delete jsonSchema.default;
    },
  });
  return JSON.stringify(schema, null, 1);
};
