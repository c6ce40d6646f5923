import type { z } from 'zod';

/** One request of the link with the schemas of both of its sides. */
export interface Method<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly params: P;
  readonly result: R;
}

/** One message without an answer. */
export interface Notice<P extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly params: P;
}

export const method = <P extends z.ZodType, R extends z.ZodType>(name: string, params: P, result: R) => ({
  name,
  params,
  result,
});

export const notice = <P extends z.ZodType>(name: string, params: P) => ({ name, params });
