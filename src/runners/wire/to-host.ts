import { z } from 'zod';
import type { Directive, TaskBrief } from '../../agents/port.ts';
import { knowledgeNoteSchema, personQuestionSchema, taskUpdateSchema } from '../../agents/tool-inputs.ts';
import { taskDefinitionSchema } from '../../tasks/task.ts';
import { invocationId, messageSchema, piece, shaped } from './fields.ts';
import { method, notice } from './method.ts';
import { roleFactSchema } from './role-fact.ts';

const of = { invocation: invocationId };
const empty = z.object({});
const text = z.string().max(65_536);
const path = z.string().max(4_096);

const directiveSchema = shaped<Directive>(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('go'), messages: z.array(messageSchema) }),
    z.object({ kind: z.literal('pause') }),
    z.object({ kind: z.literal('abort') }),
    z.object({ kind: z.literal('cancel'), reason: z.string() }),
  ]),
);

const taskBriefsSchema = shaped<readonly TaskBrief[]>(
  z.array(
    z.object({
      definition: taskDefinitionSchema,
      status: z.string(),
      attempts: z.number(),
      reason: z.string().optional(),
    }),
  ),
);

const permissionAskSchema = z.object({
  call: z.string().max(400),
  kind: z.enum(['read', 'edit', 'command', 'network', 'mode', 'other', 'task-file']),
  title: text,
  command: text.nullable(),
  directory: path,
  paths: z.array(path).max(1_000).readonly(),
  diffs: z
    .array(z.object({ path, before: z.string().max(1_048_576), after: z.string().max(1_048_576) }))
    .max(200)
    .readonly(),
  inside: z.boolean(),
  ours: z.boolean(),
  root: path,
  notes: z.array(z.string().max(2_000)).max(50).readonly(),
  memory: z.union([z.object({ identity: text }), z.object({ partial: z.string().max(2_000) })]),
});

/** Requests of a runner. The host decides each of them: a checkpoint reads its mailbox, and a permission asks its person. */
export const toHost = {
  boundary: method('boundary', z.object(of), directiveSchema),
  permission: method(
    'permission',
    z.object({ ...of, ask: permissionAskSchema }),
    z.object({ answer: z.enum(['allow', 'refuse', 'cancelled']) }),
  ),
  held: method('held', z.object(of), empty),
  released: method('released', z.object(of), empty),
  tasks: method('tasks', z.object(of), z.object({ tasks: taskBriefsSchema })),
  report: method(
    'report',
    z.object({ ...of, task: z.string().max(200) }),
    z.object({ text: z.string().nullable() }),
  ),
  /** Asks the person. Answered when the person did; `null` when the invocation ended first. */
  ask: method(
    'ask',
    z.object({ ...of, question: personQuestionSchema }),
    z.object({ answer: z.string().nullable() }),
  ),
  stage: method(
    'stage',
    z.object({ ...of, note: knowledgeNoteSchema }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('staged'), file: z.string() }),
      z.object({ kind: z.literal('refused'), wrong: z.string() }),
    ]),
  ),
} as const;

export const noticesToHost = {
  fact: notice('fact', z.object({ ...of, fact: roleFactSchema })),
  output: notice('output', z.object({ ...of, stream: z.enum(['stdout', 'stderr']), data: piece })),
  /** Stands for output that was too much to keep while the link was down. */
  dropped: notice(
    'dropped',
    z.object({ ...of, stream: z.enum(['stdout', 'stderr']), bytes: z.number().int().nonnegative() }),
  ),
  heard: notice('heard', z.object(of)),
  note: notice('note', z.object({ ...of, update: taskUpdateSchema.pick({ note: true, metadata: true }) })),
} as const;
