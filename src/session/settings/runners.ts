import { z } from 'zod';
import { here, placesSchema } from '../../tasks/task.ts';
import { setting } from './setting.ts';

const slots = z.number().int().min(1).max(64).default(1);

/** Ignored files that go along, though no commit carries them: secrets leave the machine. */
const copy = z.array(z.string().min(1)).readonly().optional();

/** A machine that the system's `ssh` reaches. */
const sshRunner = z.strictObject({
  /** An alias of `~/.ssh/config`, or `user@machine`. */
  ssh: z.string().regex(/^[^\s\p{Cc}-][^\s\p{Cc}]*$/u, {
    error: 'must be an alias from ~/.ssh/config, without spaces and not starting with -',
  }),
  /** Invocations at a time. */
  slots,
  copy,
  /** `origin`: the runner fetches from the repository's own origin first, with its own login, and gets only what is missing from here. */
  fetch: z.literal('origin').optional(),
  /** The program there, as words. Absent: where `runners install` puts it. */
  command: z.array(z.string().min(1)).min(1).readonly().optional(),
});

/** A fence around agents on this machine. */
const sandboxRunner = z.strictObject({
  sandbox: z.literal('bwrap'),
  slots,
  copy,
  /** `model`: only the machines of the agents' models, through a proxy. */
  network: z.enum(['model', 'on', 'none']).default('model'),
  /** Further machines for `network: model`: a name, `*.domain`, or `name:port`. A port of this machine's loopback is also open inside. */
  hosts: z
    .array(z.string().regex(/^(?:\*\.)?[A-Za-z0-9.-]+(?::\d{1,5})?$/u))
    .readonly()
    .default([]),
  /** Further directories with programs, absolute, seen read-only. Their `bin` is on the PATH. */
  tools: z
    .array(z.string().regex(/^\/[^\p{Cc}]+$/u, { error: 'must be an absolute path' }))
    .readonly()
    .default([]),
});

/** A container of this machine. */
const containerRunner = z.strictObject({
  container: z.enum(['podman', 'docker']),
  /** With Node, git and the agents' programs. */
  image: z
    .string()
    .regex(/^[A-Za-z0-9][\w./:@-]{0,254}$/u, { error: 'must be the name of an image, such as node:24' }),
  slots,
  copy,
  /** As the command line takes it: 512m, 4g. */
  memory: z
    .string()
    .regex(/^\d{1,6}[kmg]$/u, { error: 'must be a number followed by k, m or g' })
    .default('4g'),
  /** Processes at a time. */
  pids: z.number().int().min(16).max(65_536).default(512),
  network: z.enum(['on', 'none']).default('on'),
});

/** The variable with the URL of a pool: a URL has a password, and configurations and command lines are read by many. */
export const poolReference = z.string().regex(/^env:[A-Za-z_]\w{0,99}$/u, {
  error: 'must name the variable with the URL of the database, such as env:RALPH_POOL_URL',
});

/** Machines that share a database. */
const poolRunner = z.strictObject({
  pool: poolReference,
  queue: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,30}$/u, {
      error: 'must consist of lower-case letters, digits, - and _, and begin with a letter',
    })
    .default('default'),
  /** Public keys of the runners whose claims count. Absent: those of RALPH_POOL_ACCEPT. */
  accept: z
    .array(z.string().regex(/^pool-[\w-]{43}$/u, { error: 'must be a public key, which begins with pool-' }))
    .min(1)
    .readonly()
    .optional(),
  slots: slots.default(8),
  copy,
  fetch: z.literal('origin').optional(),
});

const runnerSchema = z.union([sshRunner, sandboxRunner, containerRunner, poolRunner]);
export type RunnerSettings = z.output<typeof runnerSchema>;

const runnerName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,30}$/u, {
    error: 'must consist of lower-case letters, digits, - and _, and begin with a letter',
  })
  .refine((name) => name !== here, { error: 'is reserved for this machine' });

/** Other machines that work for a session. */
export const runnerSettings = [
  setting({
    key: 'runners',
    schema: z.record(runnerName, runnerSchema).readonly(),
    default: {},
    unit: null,
    live: false,
    widens: { unless: [{}] },
    sentence:
      'Machines that work for this one, by name: {gpu: {ssh: ALIAS, slots: 2}}. The commits of the repository go there, and results come back as commits.',
  }),
  setting({
    key: 'on',
    schema: z.partialRecord(z.enum(['all', 'executor', 'reviewer', 'verify']), placesSchema).readonly(),
    default: {},
    unit: null,
    live: false,
    widens: { unless: [{}] },
    sentence:
      'Where tasks are worked on and reviewed: {all: gpu, reviewer: local}. A list means the first runner with a free slot. `on:` in a task or an agent takes precedence. What a sandbox or container wrote is checked in one like it, and what another machine did is checked here; `reviewer:` and `verify:` say otherwise.',
  }),
  setting({
    key: 'timeouts.orphan_after',
    schema: z.number().int().positive(),
    default: 600_000,
    unit: 'ms',
    live: false,
    widens: 'never',
    sentence:
      'How long a runner continues without a connection to this machine before it stops its agents and keeps their work. One minute later, this machine gives up on the attempt.',
  }),
] as const;
