import { z } from 'zod';
import { memoise } from '../../base/memoise.ts';
import { bareTask, type TaskDefinition } from '../../tasks/task.ts';
import type { FlowTask } from './flow-task.ts';
import { taskPhaseSchema, taskPhases } from './task-phase.ts';

const metadataSchema = z.looseObject({
  issues: z.array(z.string()).readonly(),
  activeForm: z.string(),
  span: z.enum(['issue', 'group', 'stream']),
  round: z.number().int().positive(),
  gate: z.literal('human').nullable(),
  /** Absent in older journals. */
  stream: z.string().nullable().optional(),
});

/** A task of the list as a task of a session. What only flow knows is in its metadata, which agents see through our tools. */
export const storedTask = (
  task: FlowTask,
  { iteration, description = '' }: { readonly iteration: number; readonly description?: string },
): TaskDefinition => ({
  ...bareTask(task.id, iteration),
  title: task.subject,
  objective: description,
  blockedBy: task.blockedBy,
  role: task.role,
  phase: task.phase,
  replaced_by: task.replaced_by,
  metadata: {
    issues: task.issues,
    activeForm: task.activeForm,
    span: task.span,
    round: task.round,
    gate: task.gate,
    ...(task.stream === null ? {} : { stream: task.stream }),
  },
});

/** The way back, for a list that is built again after a restart; `null` for a task that is none of flow's. */
export const flowTaskOf = memoise((definition: TaskDefinition): FlowTask | null => {
  const phase = taskPhaseSchema.safeParse(definition.phase);
  const metadata = metadataSchema.safeParse(definition.metadata);
  if (!phase.success || !metadata.success) return null;
  const { issues, activeForm, span, round, gate, stream = null } = metadata.data;
  return {
    id: definition.id,
    phase: phase.data,
    role: taskPhases[phase.data].role,
    subject: definition.title,
    activeForm,
    issues,
    blockedBy: definition.blockedBy,
    replaced_by: definition.replaced_by,
    span,
    round,
    gate,
    stream,
  };
});
