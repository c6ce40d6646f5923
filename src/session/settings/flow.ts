import { z } from 'zod';
import { flowPhases } from '../../issues/position/flow-phases.ts';
import { isLocalTracker, trackerNamed, trackerNames } from '../../issues/trackers/tracker-name.ts';
import { pathProblem } from '../../tasks/relative-path.ts';
import { setting } from './setting.ts';

/** Issues and their way through research, plan, implementation and merge (src/issues/README.md). */
export const flowSettings = [
  setting({
    key: 'flow.tracker',
    schema: z.string().check((context) => {
      const named = trackerNamed(context.value);
      if (named.ok) return;
      const [fault] = named.faults;
      context.issues.push({ code: 'custom', message: fault?.hint ?? '', input: context.value });
    }),
    default: 'native',
    unit: null,
    live: false,
    widens: { unless: trackerNames.filter(isLocalTracker) },
    sentence:
      'Where the issues are: native (.ralph/issues), prd (prd.json), markdown (TODO.md), beads (program bd), gh (GitHub) or linear:TEAM. A file may follow: markdown:docs/todo.md.',
  }),
  setting({
    key: 'flow.plan_review',
    schema: z.enum(['human', 'auto', 'skip']),
    default: 'human',
    unit: null,
    live: false,
    widens: { unless: ['human'] },
    sentence:
      'Who reviews plans: a person (human), a validator alone (auto), or no one (skip). With flow.phases: all, or where flow.agents names an agent for review or validator, a person also reads a critique of that agent.',
  }),
  setting({
    key: 'flow.phases',
    schema: z.enum(flowPhases),
    default: 'few',
    unit: null,
    live: false,
    widens: 'never',
    sentence:
      'Which phases of an issue call a model. few: an issue up to size M is researched and planned in one call, implemented in one, and that work is reviewed in one; the program writes the pull request, and no one looks at the session afterwards. all: triage, research and the text of the pull request are calls of their own, and the session is reviewed for lessons.',
  }),
  setting({
    key: 'flow.auto_merge',
    schema: z.boolean(),
    default: false,
    unit: null,
    live: false,
    widens: { unless: [false] },
    sentence: 'Merges a pull request when its checks have passed.',
  }),
  setting({
    key: 'flow.draft',
    schema: z.boolean(),
    default: false,
    unit: null,
    live: false,
    widens: { unless: [false] },
    sentence:
      'On GitHub, opens the pull request as a draft with the documents of the plan before the work begins, ticks off each issue whose work is done and reviewed, and marks it ready in the end.',
  }),
  setting({
    key: 'flow.agents',
    schema: z.record(z.string(), z.string().min(1)),
    default: {},
    unit: null,
    live: false,
    widens: { unless: [{}] },
    sentence:
      'Who works on a phase (triage, split, research, plan, review, implement, pr), or on all phases of a role (analyst, builder, validator, integrator), by agent name. An entry for the phase takes precedence.',
  }),
  setting({
    key: 'flow.join',
    schema: z.enum(['ask', 'always', 'never']),
    default: 'ask',
    unit: null,
    live: false,
    widens: { unless: ['ask', 'never'] },
    sentence:
      'Whether workers of other programs (ralph-tui mcp --as ROLE) may join a team: ask (a person decides on each), always or never.',
  }),
  setting({
    key: 'flow.poll',
    schema: z.number().int().min(1_000),
    default: 60_000,
    unit: 'ms',
    live: false,
    widens: 'never',
    sentence: 'How often the tracker is read, to notice issues that a person closed or moved.',
  }),
  setting({
    key: 'flow.feedback_rounds',
    schema: z.number().int().nonnegative(),
    default: 2,
    unit: null,
    live: false,
    widens: 'never',
    sentence:
      'How many times a failed check, or a change request or comment of a member, sends a pull request back for more work before a person is needed.',
  }),
  setting({
    key: 'flow.max_group',
    schema: z.number().int().positive(),
    default: 20,
    unit: null,
    live: false,
    widens: 'never',
    sentence:
      'Largest group of issues that a run accepts, and that splitting may make. --only starts one issue alone.',
  }),
  setting({
    key: 'docs_root',
    schema: z
      .string()
      .refine((path) => pathProblem(path) === null, { error: 'must be a path inside the workspace' }),
    default: 'thoughts/shared',
    unit: null,
    live: false,
    widens: { unless: ['thoughts/shared'] },
    sentence: 'Folder in the workspace for issue documents: research, plans, reviews and reports.',
  }),
] as const;
