import { readFirstLine } from '../observability/journal-file.ts';
import type { SessionState } from '../pipeline/state.ts';
import { planLayer } from '../session/config.ts';
import type { SessionPaths } from '../session/paths.ts';
import { parsePlan } from '../tasks/plan-file.ts';
import type { TaskDefinition } from '../tasks/task.ts';
import type { Cli } from './cli.ts';
import { loadConfiguration } from './load-settings.ts';
import type { Flags } from './options.ts';
import type { Prepared } from './prepared.ts';
import { settingsOverResume } from './settings-over-resume.ts';
import { configSubject, sessionSubject } from './trust-subjects.ts';
import { readPlanSource } from './wire.ts';
import type { World } from './world.ts';

/** What it takes to go on with a session: its configuration as it is read now, with what was set since. `state`: what its journal tells, for whoever has to be asked. */
export const prepareResume = (
  cli: Cli,
  world: World,
  paths: SessionPaths,
  state: SessionState | null,
  how: { readonly attended: boolean; readonly takeOver: boolean; readonly flags: Flags },
): Prepared => {
  const plan = readPlanSource(world, paths);
  const { settings, layers } = loadConfiguration(cli, world, {
    workspace: paths.workspace,
    session: paths,
    attended: how.attended,
    flags: how.flags,
    ...(plan ? { plan: planLayer(plan.text, plan.file) } : {}),
  });
  const config = configSubject(layers);
  const own = layers.filter(({ name }) => name === 'plan' || name === 'instructions');
  const first = readFirstLine(world.disk, paths.journal);
  // Without a journal there is nothing to go on with, and the engine says so.
  const session = first === null ? [] : [sessionSubject(paths, first, tasksOf(state, plan?.text), own)];
  return {
    workspace: paths.workspace,
    subjects: [...session, ...(config ? [config] : [])],
    wish: () => {
      const kept = settingsOverResume(world, paths, settings);
      return {
        paths,
        begin: { kind: 'resume', settings: kept, takeOver: how.takeOver },
        settings: kept,
        attended: how.attended,
        config: config?.sha256 ?? null,
        flags: how.flags,
      };
    },
  };
};

/** The tasks of the session, or of the plan that its Planner would still read. */
const tasksOf = (state: SessionState | null, source: string | undefined): readonly TaskDefinition[] => {
  const tasks = [...(state?.tasks.values() ?? [])].map(({ definition }) => definition);
  if (tasks.length > 0 || source === undefined) return tasks;
  const plan = parsePlan(source, 'plan');
  return plan.ok ? plan.value.tasks : [];
};
