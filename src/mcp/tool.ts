import type { z } from 'zod';
import { inFormOf } from '../agents/replies/in-form-of.ts';
import type { ToolCalls } from '../agents/tools.ts';
import type { Patience } from './patience.ts';

/** What each call of a tool needs, wherever the tools are served: the boundary, and word of what became of its messages. */
export type Turn = Pick<ToolCalls, 'boundary' | 'released' | 'reached' | 'missed'>;

/** The tasks of a session as tools read them, in the engine's process or outside. */
export interface TaskReads extends Pick<ToolCalls, 'tasks' | 'report'> {
  /** `task`: the agent's own task, if it works on one. */
  readonly brief: { readonly task?: { readonly id: string } };
}

/** One of our tools as a server offers it. `tools/index.ts` and `outside/index.ts` list them in the order agents see them. */
export interface Tool<C = ToolCalls> {
  readonly name: string;
  /** For the model: the tool's effect and when to call it. */
  readonly description: string;
  readonly input: z.ZodType;
  /** The tool changes nothing, so an agent need not ask before it calls. */
  readonly readOnly: boolean;
  /** Checks the arguments and runs. Invalid arguments give an answer, not an error. */
  call(calls: C, input: unknown, patience: Patience): Promise<ToolAnswer>;
}

/** Always an object: some agents break on an array (src/agents/README.md, Gemini CLI). */
export interface ToolAnswer {
  readonly body: Readonly<Record<string, unknown>>;
  /** The call did not have its effect. */
  readonly failed?: true;
  /** The answer tells the agent to end its turn, so a hold need not keep the call. */
  readonly endsTurn?: true;
}

/** Defines a tool over checked arguments. */
export const defineTool = <T, C = ToolCalls>(definition: {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<T>;
  readonly readOnly: boolean;
  readonly run: (calls: C, input: T, patience: Patience) => ToolAnswer | Promise<ToolAnswer>;
}): Tool<C> => {
  const { run, ...shown } = definition;
  return {
    ...shown,
    call: async (calls, input, patience) => {
      const parsed = definition.input.safeParse(inFormOf(definition.input, input ?? {}));
      if (parsed.success) return run(calls, parsed.data, patience);
      return {
        failed: true,
        body: { error: 'The arguments do not match the schema.', wrong: wrongFields(parsed.error) },
      };
    },
  };
};

/** `outcome.status: Invalid option: …`, one line for each field, at most ten. */
const wrongFields = (error: z.ZodError): readonly string[] =>
  error.issues
    .slice(0, 10)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
