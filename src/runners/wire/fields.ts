import { z } from 'zod';

/** The id of an invocation. It becomes a file name, so nothing else may be in it. */
export const invocationId = z.string().regex(/^[A-Za-z]+-\d{1,9}$/u);
/** A random name of a process. */
export const processName = z.string().regex(/^[0-9a-f]{16}$/u);
/** The id of a commit or of another object of git. */
export const commitId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u);
/** A repository, by a hash of its root commits. */
export const repositoryId = z.string().regex(/^[0-9a-f]{32}$/u);
/** Base64, up to about 512 KiB of bytes. */
export const piece = z.string().max(720_000);
/** Bytes of one piece of a bundle. */
export const pieceBytes = 393_216;
/** The most bytes of a bundle. */
export const mostBundleBytes = 524_288_000;

export const faultSchema = z.object({
  code: z.string().max(100),
  what: z.string().max(4_000),
  where: z.string().max(1_000).optional(),
  hint: z.string().max(1_000).optional(),
});

export const messageSchema = z.object({
  id: z.string(),
  kind: z.enum(['STEER', 'INFO', 'PAUSE', 'RESUME', 'RETRY']),
  text: z.string(),
  from: z.string().optional(),
  apply: z.enum(['restart', 'adjust', 'escalate']).optional(),
  inForce: z.literal(true).optional(),
  unproven: z.literal(true).optional(),
});

/** A value of ours that passes as it is when it has this shape. The type is named, because both sides are built from the same one. */
export const shaped = <T>(schema: z.ZodType): z.ZodType<T, T> =>
  z.custom<T>((value) => schema.safeParse(value).success);
