import type { Plan } from '../../tasks/plan-file.ts';
import { bareTask, type TaskDefinition } from '../../tasks/task.ts';
import { type Step, type StepKind, stepKinds, type WorkspaceFacts } from './facts.ts';
import { checkFinders } from './index.ts';
import { make } from './make.ts';

/**
 * The plan "Run this repository's checks": install → lint, typecheck, build → test, with the existing checks of each tool. Tests wait for the build
 * and not for lint, so that a style error does not hide a failing test. `null` if the workspace has no known checks.
 */
export const discover = (facts: WorkspaceFacts): Plan | null => {
  const steps = findSteps(facts);
  if (steps.length === 0) return null;
  return {
    goal: `Run the checks of ${facts.name}`,
    tasks: steps.map((step) => toTask(step, steps)),
    settings: {},
  };
};

/** The commands of that plan as people know them, in order. */
export const checkTitles = (facts: WorkspaceFacts): readonly string[] =>
  findSteps(facts).map(({ title }) => title);

const findSteps = (facts: WorkspaceFacts): readonly Step[] => {
  const own = checkFinders.filter((finder) => finder !== make).flatMap((finder) => finder.find(facts));
  const kinds = new Set(own.map((step) => step.kind));
  const steps = [...own, ...make.find(facts).filter((step) => !kinds.has(step.kind))];
  // An install alone checks nothing.
  return steps.some((step) => step.kind !== 'install') ? steps : [];
};

const blockers: Readonly<Record<StepKind, readonly (readonly StepKind[])[]>> = {
  install: [],
  lint: [['install']],
  typecheck: [['install']],
  build: [['install']],
  test: [['build'], ['install']],
};

const titles: Readonly<Record<StepKind, string>> = {
  install: 'Install the locked packages',
  lint: 'Lint',
  typecheck: 'Check the types',
  build: 'Build',
  test: 'Test',
};

const idOf = (step: Step): string => `${step.tool}-${step.kind}`;

const toTask = (step: Step, steps: readonly Step[]): TaskDefinition => {
  const criterion = `\`${step.title}\` exits with 0`;
  // The Makefile's steps may wait for those of the tool it wraps.
  const related = steps.filter((it) => it.tool === step.tool || step.tool === 'make');
  const waits = blockers[step.kind]
    .map((kinds) => related.filter((it) => kinds.includes(it.kind)))
    .find((found) => found.length > 0);
  return {
    ...bareTask(idOf(step), 1),
    title: `${titles[step.kind]}: ${step.title}`,
    objective: `\`${step.title}\` ends without an error.`,
    blockedBy: (waits ?? []).map(idOf),
    criteria: [criterion],
    run: [{ ...step.command, shows: [criterion] }],
    phase: stepKinds.indexOf(step.kind) === 0 ? 'prepare' : 'check',
  };
};
