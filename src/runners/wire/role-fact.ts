import { z } from 'zod';
import type { RoleFact } from '../../agents/role-fact.ts';
import { eventBodySchema } from '../../pipeline/event.ts';

/** The facts that a worker may report. The engine adds the invocation and the marker by itself. */
const factTypes: ReadonlySet<string> = new Set<RoleFact['type']>([
  'task.started',
  'command.started',
  'process.started',
  'command.ended',
  'steer.decided',
  'finding.noted',
  'agent.launched',
  'agent.process-started',
  'agent.connected',
  'agent.mode-changed',
  'agent.usage-reported',
  'agent.context-compacted',
  'prompt.sent',
  'reply.ended',
  'tool.started',
  'tool.ended',
  'thought.noted',
  'agent-plan.noted',
  'message.arrived',
  'message.carried',
]);

/** The fields that only the engine fills in. */
const engineFields = { invocation: '', marker: '', task: '', attempt: 1, owner: '' };

const looseFact = z.looseObject({ type: z.string().refine((type) => factTypes.has(type)) });

/** A fact from a link: checked as the event that it becomes, without what only the engine may say. */
export const roleFactSchema = z
  .unknown()
  .transform((value, context): unknown => {
    const fact = looseFact.safeParse(value);
    const read = eventBodySchema().safeParse(fact.success ? { ...fact.data, ...engineFields } : null);
    if (!read.success) {
      context.addIssue({ code: 'custom', message: 'is not a fact of a worker' });
      return z.NEVER;
    }
    const own = Object.entries(read.data).filter(([key]) => !(key in engineFields) && key !== 'log');
    return Object.fromEntries(own);
  })
  .pipe(z.custom<RoleFact>());
