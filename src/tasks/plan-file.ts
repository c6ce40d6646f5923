import { stringify } from 'yaml';
import { z } from 'zod';
import type { Checked, Fault } from '../base/fault.ts';
import { createRedact } from '../base/redact.ts';
import { commandsSchema, formatCommand, insidePath } from './commands.ts';
import { cyclePath, cycleText } from './cycle-path.ts';
import { durationSchema, formatDuration } from './duration.ts';
import { buildGraph } from './graph.ts';
import { otherThanPlan } from './other-than-plan.ts';
import { checkValue, faultAt, type Source } from './schema-faults.ts';
import { placesSchema, type TaskDefinition, taskIdSchema } from './task.ts';
import { parseYaml } from './yaml-text.ts';

/** The content of a plan file (src/session/README.md, plan.yaml). */
export interface Plan {
  readonly goal: string;
  readonly tasks: readonly TaskDefinition[];
  /** As written: `layerOfPlan` in `session/config.ts` checks it, because settings belong to the session. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A plan with its positions in the file. */
export interface PlanText extends Plan {
  /** Line (from 1) of the value at `path`. */
  readonly line: (path: readonly PropertyKey[]) => number;
}

const texts = z.array(z.string());
const redact = createRedact();

/** One task as written by people and planning agents. */
export const planTaskSchema = z.strictObject({
  id: taskIdSchema
    .refine((id) => redact(id) === id, { error: 'looks like a secret, and ids become file names' })
    .optional(),
  title: z.string().trim().min(1),
  objective: z.string().optional(),
  blockedBy: texts.optional(),
  files: z.array(insidePath).optional(),
  criteria: texts.optional(),
  run: commandsSchema.optional(),
  verify: commandsSchema.optional(),
  on_steer: commandsSchema.nullable().optional(),
  type: z.enum(['Parallelizable', 'Sequential']).optional(),
  role: z.string().min(1).optional(),
  phase: z.string().optional(),
  agent: z.string().min(1).optional(),
  on: placesSchema.optional(),
  timeout: durationSchema.optional(),
  replaced_by: texts.optional(),
  grounded_in: z.string().optional(),
  notes: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

const planSchema = z.strictObject({
  goal: z.string().trim().min(1),
  tasks: z.array(planTaskSchema).min(1),
  settings: z.record(z.string(), z.unknown()).nullable().optional(),
});

export type PlanTask = z.output<typeof planTaskSchema>;

/**
 * Reads a plan in YAML or JSON, or returns all of its faults: each names file, line, field and the allowed values. Unknown, self-referring
 * and circular blockers are faults that name the members. The tasks will belong to `iteration`.
 */
export const parsePlan = (text: string, file: string, iteration = 1): Checked<PlanText> => {
  const read = parseYaml(text, file, { size: 4_194_304, depth: 32 });
  const other = otherThanPlan(text, read.value.value, file);
  if (other !== null) return { ok: false, faults: [other] };
  if (read.problems.length > 0) return { ok: false, faults: read.problems };
  const source: Source = { file, line: read.value.line };
  const checked = checkValue(planSchema, read.value.value, source, 'plan-invalid');
  if (!checked.ok) return checked;
  const tasks = checked.value.tasks.map((task, index) => definitionOf(task, index, iteration));
  const faults = edgeFaults(tasks, source);
  if (faults.length > 0) return { ok: false, faults };
  const { goal, settings } = checked.value;
  return { ok: true, value: { goal, tasks, settings: settings ?? {}, line: read.value.line } };
};

/** `index` gives an id to a task without one. The task belongs to `iteration`. */
export const definitionOf = (task: PlanTask, index: number, iteration: number): TaskDefinition => ({
  id: task.id ?? `task-${index + 1}`,
  iteration,
  title: task.title,
  objective: task.objective ?? '',
  blockedBy: task.blockedBy ?? [],
  files: task.files ?? [],
  criteria: task.criteria ?? [],
  run: task.run ?? [],
  verify: task.verify ?? [],
  on_steer: task.on_steer ?? null,
  type: task.type ?? 'Parallelizable',
  role: task.role ?? 'executor',
  ...(task.phase === undefined ? {} : { phase: task.phase }),
  ...(task.agent === undefined ? {} : { agent: task.agent }),
  ...(task.on === undefined ? {} : { on: task.on }),
  ...(task.timeout === undefined ? {} : { timeout_ms: task.timeout }),
  replaced_by: task.replaced_by ?? [],
  grounded_in: task.grounded_in ?? '',
  notes: task.notes ?? '',
  ...(task.metadata === undefined ? {} : { metadata: task.metadata }),
});

const edgeFaults = (tasks: readonly TaskDefinition[], source: Source): readonly Fault[] => {
  const faults: Fault[] = [];
  const first = new Map<string, number>();
  tasks.forEach((task, index) => {
    const twin = first.get(task.id);
    const what = `the id ${task.id} is already used by task ${(twin ?? 0) + 1}`;
    if (twin === undefined) first.set(task.id, index);
    else faults.push(faultAt(source, 'plan-duplicate-id', ['tasks', index, 'id'], what));
  });
  tasks.forEach((task, index) => {
    for (const field of ['blockedBy', 'replaced_by'] as const) {
      task[field].forEach((other, place) => {
        const path = ['tasks', index, field, place];
        if (other === task.id) {
          faults.push(
            faultAt(source, 'plan-cycle', path, `${task.id} names itself`, `remove ${other} from ${field}`),
          );
        } else if (!first.has(other)) {
          const hint = 'use the id of a task in this plan';
          faults.push(
            faultAt(
              source,
              'plan-unknown-task',
              path,
              `${task.id} names ${other}, which is not a task in this plan`,
              hint,
            ),
          );
        }
      });
    }
  });
  if (faults.length > 0) return faults;
  const { cycles, blockersOf } = buildGraph(tasks);
  return cycles.map((members) => {
    const cycle = cyclePath(members, blockersOf);
    const [waiting = '', blocker = waiting] = cycle;
    const index = first.get(waiting) ?? 0;
    const place = tasks[index]?.blockedBy.indexOf(blocker) ?? -1;
    // The plan names an edge to a split task by the id of the original task.
    const path = ['tasks', index, 'blockedBy', ...(place < 0 ? [] : [place])];
    const hint = `remove ${blocker} from blockedBy of ${waiting}, or remove another edge of this cycle`;
    return faultAt(source, 'plan-cycle', path, `tasks wait for each other: ${cycleText(cycle)}`, hint);
  });
};

/** Formats a plan as `plan.yaml` without default values. Parses back to the same plan. */
export const formatPlan = (plan: Plan): string =>
  stringify(
    {
      goal: plan.goal,
      tasks: plan.tasks.map(formatTaskEntry),
      ...(Object.keys(plan.settings).length === 0 ? {} : { settings: plan.settings }),
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );

const formatTaskEntry = (task: TaskDefinition): Readonly<Record<string, unknown>> => {
  const optional: readonly (readonly [string, unknown])[] = [
    ['objective', task.objective],
    ['blockedBy', task.blockedBy],
    ['files', task.files],
    ['criteria', task.criteria],
    ['run', task.run.map(formatCommand)],
    ['verify', task.verify.map(formatCommand)],
    ['type', task.type === 'Parallelizable' ? '' : task.type],
    ['role', task.role === 'executor' ? '' : task.role],
    ['phase', task.phase ?? ''],
    ['agent', task.agent ?? ''],
    ['on', task.on ?? ''],
    ['timeout', task.timeout_ms === undefined ? '' : formatDuration(task.timeout_ms)],
    ['replaced_by', task.replaced_by],
    ['grounded_in', task.grounded_in],
    ['notes', task.notes],
  ];
  return {
    id: task.id,
    title: task.title,
    ...Object.fromEntries(
      optional.filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0)),
    ),
    ...(task.on_steer === null ? {} : { on_steer: task.on_steer.map(formatCommand) }),
    ...(task.metadata === undefined ? {} : { metadata: task.metadata }),
  };
};
