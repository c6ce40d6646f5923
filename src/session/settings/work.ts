import { z } from 'zod';
import { setting } from './setting.ts';

const workers = z.number().int().min(1).max(64);

/** The planning, distribution and repetition of a session's work. */
export const workSettings = [
  setting({
    key: 'concurrency.max_parallel_executors',
    schema: workers,
    default: 3,
    defaultsWhen: [{ when: ({ modelAgents }) => modelAgents, words: 'with model agents', value: 2 }],
    unit: null,
    live: true,
    widens: 'never',
    sentence: 'How many tasks run at the same time.',
  }),
  setting({
    key: 'concurrency.max_parallel_reviewers',
    schema: workers,
    default: 3,
    unit: null,
    live: true,
    widens: 'never',
    sentence: 'How many reviews run at the same time.',
  }),
  setting({
    key: 'concurrency.max_parallel_checks',
    schema: z.number().int().min(0).max(64),
    default: 0,
    unit: null,
    live: true,
    widens: 'never',
    sentence:
      'How many `verify` runs in worktrees may run beside the tasks, without taking the slot of one. 0 means one less than the machine has cores, but at least 1. In a shared workspace, a `verify` runs in the slot of its task.',
  }),
  setting({
    key: 'planning.max_cycles',
    schema: z.number().int().min(0).max(20),
    default: 2,
    defaultsWhen: [{ when: ({ modelAgents }) => modelAgents, words: 'with model agents', value: 1 }],
    unit: null,
    live: false,
    widens: 'never',
    sentence: 'How many rounds of questions precede the final plan. 0 means none.',
  }),
  setting({
    key: 'effort',
    schema: z.enum(['small', 'full']),
    default: 'full',
    unit: null,
    live: false,
    widens: 'never',
    sentence:
      'How much of the cycle agents with a model work on. `full`: all of it. `small` leaves out the questions before the plan, the review of a task whose `verify` proves every criterion, the review of the session by a model, and lessons written by one: commands and the record take their place.',
  }),
  setting({
    key: 'gates',
    schema: z.array(z.enum(['plan'])).readonly(),
    default: [],
    defaultsWhen: [
      {
        when: ({ attended, modelAgents, ownPlan }) => attended && modelAgents && !ownPlan,
        words: 'on a screen with model agents and no plan of your own',
        value: ['plan'],
      },
    ],
    unit: null,
    live: false,
    widens: { unless: [['plan']] },
    sentence:
      'Where the session waits for a person: [plan] waits until the first plan is approved. The tasks of a later iteration start without approval, as do the parts of a split task.',
  }),
  setting({
    key: 'review',
    schema: z.enum(['agent', 'person', 'both']),
    default: 'agent',
    unit: null,
    live: false,
    widens: { unless: ['person', 'both'] },
    sentence:
      'Who accepts or rejects finished tasks: the Reviewer, a person, or a person after the Reviewer. A loop does not ask.',
  }),
  setting({
    key: 'retries.max_attempts',
    schema: z.number().int().min(1).max(100),
    default: 3,
    unit: null,
    live: false,
    widens: 'never',
    sentence: 'How many attempts a task gets before it fails for good.',
  }),
  setting({
    key: 'retries.backoff',
    schema: z.array(z.number().int().min(0)).readonly(),
    default: [0, 30_000, 60_000, 60_000],
    unit: 'ms',
    live: false,
    widens: 'never',
    sentence:
      'How long to wait before restarting an agent that ended without a result, one duration per restart.',
  }),
  setting({
    key: 'timeouts.task_wip_minutes',
    schema: z.number().positive(),
    default: 60,
    unit: 'minutes',
    live: true,
    widens: 'never',
    sentence: "How long one attempt of a task may take. A task's own `timeout` takes precedence.",
  }),
  setting({
    key: 'timeouts.stall',
    schema: z.number().int().min(0),
    default: 300_000,
    unit: 'ms',
    live: true,
    widens: 'never',
    sentence: 'How long a running agent may be silent before it counts as stalled. 0s turns the check off.',
  }),
  setting({
    key: 'timeouts.abort_grace',
    schema: z.number().int().min(0),
    default: 5_000,
    unit: 'ms',
    live: false,
    widens: 'never',
    sentence: 'How long a process has to exit after SIGTERM before it gets SIGKILL.',
  }),
] as const;
