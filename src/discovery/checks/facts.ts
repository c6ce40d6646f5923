import type { Command } from '../../tasks/task.ts';

/** Facts about a workspace before a run. `readWorkspace` gathers them, the check finders judge them. */
export interface WorkspaceFacts {
  /** The directory's name, for the plan's goal. */
  readonly name: string;
  /** Names at the root. */
  readonly names: ReadonlySet<string>;
  /** Texts of the manifests at the root, by name. Missing, too large or unreadable ones are left out. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The kinds of steps, in the order of the graph: install → lint, typecheck, build → test. */
export const stepKinds = ['install', 'lint', 'typecheck', 'build', 'test'] as const;
export type StepKind = (typeof stepKinds)[number];

/** One check that a workspace offers. */
export interface Step {
  readonly kind: StepKind;
  /** The finder's tool: `npm`, `cargo`. */
  readonly tool: string;
  /** `npm run lint` */
  readonly title: string;
  readonly command: Command;
}

/** Finds one tool's checks: one file in `checks/`, one line in `checks/index.ts`. Pure over the facts. */
export interface CheckFinder {
  readonly name: string;
  readonly find: (facts: WorkspaceFacts) => readonly Step[];
}

/** A step whose command is an argv. Its title is the command as typed. */
export const step = (
  kind: StepKind,
  tool: string,
  argv: readonly string[],
  env: Record<string, string> = {},
): Step => ({
  kind,
  tool,
  title: argv.join(' '),
  command: { cmd: [...argv], ...(Object.keys(env).length === 0 ? {} : { env }) },
});
