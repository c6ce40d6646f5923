import { z } from 'zod';
import { late } from '../../base/memoise.ts';
import { stopConditionSchema, turnObservationSchema } from '../modes/loop/turn-record.ts';

/** Facts between the turns of a loop (src/discovery/README.md, The loop). */
export const loopEvents = late(
  () =>
    [
      /** A turn returned, or the loop begins (turn 0). The engine looks at the workspace, and `turn.observed` follows. */
      z.object({ type: z.literal('turn.returned'), turn: z.number().int().min(0) }),
      z.object({ type: z.literal('turn.observed'), ...turnObservationSchema.shape }),
      /** `stop: null`: the loop continues. */
      z.object({
        type: z.literal('turn.decided'),
        turn: z.number().int().min(0),
        stop: stopConditionSchema.nullable(),
        sentence: z.string(),
      }),
    ] as const,
);
