import { type CheckFinder, type StepKind, step } from './facts.ts';

const targets: readonly (readonly [StepKind, readonly string[]])[] = [
  // Never `install`: in a Makefile that target copies into the system.
  ['install', ['deps']],
  ['lint', ['lint']],
  ['typecheck', ['typecheck', 'check-types']],
  ['build', ['build']],
  ['test', ['test', 'check']],
];

/** Targets of a Makefile. `discover` uses only those that no other finder offers, because make usually wraps those tools. */
export const make: CheckFinder = {
  name: 'Makefile',
  find: ({ texts }) => {
    const text = ['GNUmakefile', 'makefile', 'Makefile']
      .map((name) => texts.get(name))
      .find((it) => it !== undefined);
    if (text === undefined) return [];
    const found = new Set(
      [...text.matchAll(/^([A-Za-z0-9_.\- ]+?)\s*::?(?!=)/gm)].flatMap((match) =>
        (match[1] ?? '').split(/ +/),
      ),
    );
    return targets.flatMap(([kind, names]) => {
      const name = names.find((it) => found.has(it));
      return name === undefined ? [] : [step(kind, 'make', ['make', name])];
    });
  },
};
