import type { Command } from '../tasks/task.ts';

/** What is true of a workspace before a run; gathered by `readWorkspace`, judged by the rules. */
export interface WorkspaceFacts {
  /** Name of the directory, for the plan's goal. */
  readonly name: string;
  /** Names at the root. */
  readonly names: ReadonlySet<string>;
  /** Texts of the manifests at the root, by name; one that is missing, too large or unreadable is not there. */
  readonly texts: ReadonlyMap<string, string>;
}

/** What a step does, in the order of the graph: install → lint, typecheck, build → test. */
export const stepKinds = ['install', 'lint', 'typecheck', 'build', 'test'] as const;
export type StepKind = (typeof stepKinds)[number];

/** One check that a workspace offers. */
export interface Step {
  readonly kind: StepKind;
  /** Distinguishes the rules: `npm`, `cargo`. */
  readonly tool: string;
  /** `npm run lint` */
  readonly title: string;
  readonly command: Command;
}

/** A scanner rule: one file in `rules/`, one line in `rules/index.ts`. Pure over the facts. */
export interface Rule {
  readonly name: string;
  readonly find: (facts: WorkspaceFacts) => readonly Step[];
}

/** A step whose command is an argv; its title is what one would type. */
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
