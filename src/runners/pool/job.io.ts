import { z } from 'zod';
import { commitId, invocationId, processName, repositoryId } from '../wire/fields.ts';
import { digestOf, type Identity, isSignedBy } from './keys.io.ts';

const session = z.string().regex(/^[\w.-]{1,100}$/u);
const linkKey = z.string().regex(/^[\w-]{43}$/u);
const digest = z.string().regex(/^[0-9a-f]{64}$/u);
/** The name of a link, of a host's process or of a runner. */
const name = processName;

/** What a job is for. A runner opens this invocation with this brief at this commit, and nothing else. */
const workSchema = z.strictObject({
  session,
  invocation: invocationId,
  attempt: z.number().int().nonnegative().optional(),
  task: z.string().max(200).optional(),
  repository: repositoryId,
  base: commitId,
  /** SHA-256 of the brief as JSON. */
  brief: digest,
});
export type Work = z.infer<typeof workSchema>;

const jobSchema = z.strictObject({
  link: name,
  pool: z.string().max(100),
  /** `null`: the host asks about the runner and its late work. */
  work: workSchema.nullable(),
  /** The only runner that may claim it. Absent: each one. */
  to: name.optional(),
  /** Where the host's process hears. */
  channel: name,
  /** When the host's process began, milliseconds since 1970. A later process of a session takes it over from earlier ones. */
  epoch: z.number().int().nonnegative(),
  key: linkKey,
  issued: z.number().int(),
  expires: z.number().int(),
});
export type Job = z.infer<typeof jobSchema>;

const claimSchema = z.strictObject({
  link: name,
  /** Digest of the signed job. */
  job: digest,
  runner: name,
  /** The runner's process. */
  process: name,
  /** Its number in the pool, for people. */
  number: z.number().int().nonnegative(),
  key: linkKey,
});
export type Claim = z.infer<typeof claimSchema>;

const signedSchema = z.strictObject({
  by: z.string().max(100),
  text: z.string().max(20_000),
  signature: z.string().max(200),
});

const signed = (identity: Identity, kind: 'job' | 'claim', value: Job | Claim): string => {
  const text = JSON.stringify(value);
  return JSON.stringify({
    by: identity.publicKey,
    text,
    signature: identity.sign(`ralph-pool ${kind}\n${text}`),
  });
};

export const signJob = (identity: Identity, job: Job): string => signed(identity, 'job', job);
export const signClaim = (identity: Identity, claim: Claim): string => signed(identity, 'claim', claim);

/** The value inside a signed text, if one of `accept` signed it and it has its shape. */
const readSigned = <S extends z.ZodType>(
  schema: S,
  kind: 'job' | 'claim',
  accept: readonly string[],
  whole: string,
): { readonly by: string; readonly value: z.output<S> } | null => {
  const read = signedSchema.safeParse(parsed(whole));
  if (!read.success) return null;
  const { by, text, signature } = read.data;
  if (!accept.includes(by) || !isSignedBy(by, `ralph-pool ${kind}\n${text}`, signature)) return null;
  const value = schema.safeParse(parsed(text));
  return value.success ? { by, value: value.data } : null;
};

export const readClaim = (
  accept: readonly string[],
  text: string,
  { link, job }: { readonly link: string; readonly job: string },
): Claim | null => {
  const claim = readSigned(claimSchema, 'claim', accept, text)?.value ?? null;
  return claim !== null && claim.link === link && claim.job === digestOf(job) ? claim : null;
};

/** Why a runner does not take a job. */
export type Refusal = 'forged' | 'elsewhere' | 'expired' | 'replayed' | 'overtaken';

interface GatePorts {
  /** Public keys of the hosts that may send work. */
  readonly accept: readonly string[];
  readonly pool: string;
  readonly runner: string;
  readonly now: () => number;
}

/** Decides which jobs a runner takes: each account that writes to the database can put one there. */
export interface JobGate {
  take(signedJob: string): { readonly job: Job } | { readonly refused: Refusal };
}

/** Milliseconds by which the clocks of a host and a runner may differ. */
const mostApart = 300_000;

export const createJobGate = ({ accept, pool, runner, now }: GatePorts): JobGate => {
  /** Links that were taken, until their job expires. */
  const taken = new Map<string, number>();
  const epochs = new Map<string, number>();

  const refusalOf = (job: Job, session: string): Refusal | null => {
    if (job.pool !== pool || (job.to !== undefined && job.to !== runner)) return 'elsewhere';
    if (job.expires < now() - mostApart || job.issued > now() + mostApart) return 'expired';
    if (taken.has(job.link)) return 'replayed';
    const { work, epoch } = job;
    return work !== null && epoch < (epochs.get(session) ?? 0) ? 'overtaken' : null;
  };

  return {
    take: (signedJob) => {
      const read = readSigned(jobSchema, 'job', accept, signedJob);
      if (read === null) return { refused: 'forged' };
      const { value: job } = read;
      // Sessions are named after the time: two hosts may have one of the same name.
      const session = `${read.by} ${job.work?.session}`;
      const refused = refusalOf(job, session);
      if (refused !== null) return { refused };
      for (const [link, expires] of taken) if (expires < now() - mostApart) taken.delete(link);
      taken.set(job.link, job.expires);
      if (job.work !== null) epochs.set(session, job.epoch);
      return { job };
    },
  };
};

/** The id of a job's row: the same work of the same link is one row, however often it is sent. */
export const jobId = (work: Work, link: string): string => {
  const hex = digestOf(JSON.stringify([work.session, work.invocation, work.attempt ?? 0, link]));
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
