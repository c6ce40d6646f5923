import { z } from 'zod';

/**
 * Every configuration key with its default (plan-and-config.md, Configuration). Durations are milliseconds here; in files they are
 * `30s`, `5m`, `24h` or milliseconds (`duration.ts`).
 */
export const settingsSchema = z.object({
  concurrency: z.object({
    max_parallel_executors: z.number().int().min(1).max(64),
    max_parallel_reviewers: z.number().int().min(1).max(64),
  }),
  planning: z.object({ max_cycles: z.number().int().min(0).max(20) }),
  gates: z.array(z.enum(['plan'])).readonly(),
  retries: z.object({
    max_attempts: z.number().int().min(1).max(100),
    backoff: z.array(z.number().int().min(0)).readonly(),
  }),
  timeouts: z.object({
    task_wip_minutes: z.number().positive(),
    stall: z.number().int().min(0),
    abort_grace: z.number().int().min(0),
  }),
  knowledge: z.object({
    /** `null`: none on a screen, 24 h unattended; 0: carry at once (headless). */
    approval_timeout: z.number().int().min(0).nullable(),
    max_carry_iterations: z.number().int().min(0),
    docs_dir: z.string(),
  }),
  permissions: z.enum(['ask', 'edits', 'workspace', 'all']),
  commit: z.boolean(),
  limits: z.object({
    max_duration: z.number().int().positive().nullable(),
    max_cost: z.number().positive().nullable(),
    max_attempts_total: z.number().int().positive().nullable(),
  }),
  signals: z.object({ poll_interval: z.number().int().min(50) }),
  host: z.enum(['process', 'background']),
  on_disconnect: z.enum(['pause', 'abort', 'background']),
  isolation: z.enum(['shared', 'worktree']),
  agents: z.record(z.string(), z.unknown()).readonly(),
  roles: z.record(z.string(), z.string()).readonly(),
  ui: z.object({
    theme: z.enum(['auto', 'dark', 'light', 'none']),
    keys: z.record(z.string(), z.string()).readonly(),
    ascii: z.boolean(),
    mouse: z.boolean(),
    notify: z.enum(['bell', 'osc', 'none']),
  }),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = {
  concurrency: { max_parallel_executors: 3, max_parallel_reviewers: 3 },
  planning: { max_cycles: 2 },
  gates: [],
  retries: { max_attempts: 3, backoff: [0, 30_000, 60_000, 60_000] },
  timeouts: { task_wip_minutes: 60, stall: 300_000, abort_grace: 5_000 },
  knowledge: { approval_timeout: null, max_carry_iterations: 2, docs_dir: '.docs' },
  permissions: 'ask',
  commit: false,
  limits: { max_duration: null, max_cost: null, max_attempts_total: null },
  signals: { poll_interval: 1_000 },
  host: 'process',
  on_disconnect: 'pause',
  isolation: 'shared',
  agents: {},
  roles: {},
  ui: { theme: 'auto', keys: {}, ascii: false, mouse: false, notify: 'bell' },
};
