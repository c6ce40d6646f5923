import { z } from 'zod';
import { type Places, placesSchema } from '../tasks/task.ts';
import type { Backend } from './port.ts';

/** Moves the work of a backend to a runner. The command line builds it; the engine only asks for it. */
export type PlaceOn = (backend: Backend, runner: string) => Backend;

const agentSchema = z.object({ on: placesSchema });

/** `agents.<name>.on`. */
export const placesOfAgent = (agents: Readonly<Record<string, unknown>>, name: string): Places | undefined =>
  Object.hasOwn(agents, name) ? agentSchema.safeParse(agents[name]).data?.on : undefined;
