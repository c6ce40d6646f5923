import { z } from 'zod';

/** Number of the protocol between a host and its runners. Another number is refused. */
export const protocol = 1;

/** The most characters of one frame. A piece of a bundle or of output is in one. */
export const longestFrame = 4_194_304;

const count = z.number().int().nonnegative();

/**
 * One line of a link. `hello` opens each connection: `self` is the side's own random name, which changes when it starts again, and `received` is the number
 * of the last message that it has. `data` carries message `n`. Every frame acknowledges what its side received so far (`ack`).
 */
export const frameSchema = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('hello'),
    protocol: count,
    program: z.string().max(200),
    self: z.string().min(1).max(100),
    received: count,
  }),
  z.object({ t: z.literal('data'), n: count.positive(), ack: count, body: z.unknown() }),
  /** A sign of life. `missing`: a message was lost or overtaken, and everything from there on is sent again. */
  z.object({ t: z.literal('ack'), ack: count, missing: count.positive().optional() }),
]);
export type Frame = z.infer<typeof frameSchema>;
