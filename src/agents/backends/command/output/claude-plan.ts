import { z } from 'zod';
import type { PlanEntry } from '../../../agent-facts.ts';
import type { StreamEvent } from './output-profile.ts';

interface PlanCall {
  readonly name: string;
  readonly input?: unknown;
}

const planTools: ReadonlySet<string> = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate']);
/** A call that changes the agent's own list of tasks. */
export const isPlanTool = ({ name }: Pick<PlanCall, 'name'>): boolean => planTools.has(name);

const statusSchema = z.enum(['pending', 'in_progress', 'completed']);
const todosSchema = z.object({ todos: z.array(z.object({ content: z.string(), status: statusSchema })) });
const createdSchema = z.object({ task: z.object({ id: z.string(), subject: z.string() }) });
const updateSchema = z.object({
  taskId: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed', 'deleted']).optional(),
  subject: z.string().optional(),
});

/** Keeps the agent's list of tasks: written whole (`TodoWrite`), or one by one (`TaskCreate`, `TaskUpdate`). */
export const planned = (
  plan: Map<string, PlanEntry>,
  call: PlanCall,
  result: unknown,
): readonly StreamEvent[] => {
  if (call.name === 'TodoWrite') {
    const todos = todosSchema.safeParse(call.input).data?.todos ?? [];
    plan.clear();
    for (const [index, { content, status }] of todos.entries())
      plan.set(String(index), { text: content, status });
  }
  const created = createdSchema.safeParse(result).data?.task;
  if (call.name === 'TaskCreate' && created)
    plan.set(created.id, { text: created.subject, status: 'pending' });
  const update = updateSchema.safeParse(call.input).data;
  const old = update && plan.get(update.taskId);
  if (call.name === 'TaskUpdate' && old) {
    if (update.status === 'deleted') plan.delete(update.taskId);
    else plan.set(update.taskId, { text: update.subject ?? old.text, status: update.status ?? old.status });
  }
  return [{ kind: 'plan', entries: [...plan.values()] }];
};
