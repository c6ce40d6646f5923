import { readFirstLine } from '../../observability/journal-file.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { type Layer, planLayer } from '../../session/config.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { LoopPreset } from '../../session/settings/loop-presets.ts';
import { parsePlan } from '../../tasks/plan-file.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import { type Cli, Exit, exitCodes } from '../cli.ts';
import { flowStartOf } from '../issues/find-flow.ts';
import { refuseAtEnd } from '../issues/refuse-at-end.ts';
import type { Flags } from '../options.ts';
import { hostOf } from '../session/open-session.ts';
import { loadConfiguration } from '../settings/load-settings.ts';
import { settingsOverResume } from '../settings/settings-over-resume.ts';
import { feedbackSubjects } from '../trust/feedback-subjects.ts';
import { changeSubject, keptFlags, startSubject } from '../trust/kept-start.ts';
import { phaseSkillSubjects } from '../trust/own-skills.ts';
import { workerSubjects } from '../trust/own-workers.ts';
import { checkJournal, journalSubject, refuseUnseenJournal } from '../trust/sealed-journal.ts';
import { filesSubject, refuseUnseenFiles, sessionFiles } from '../trust/session-files.ts';
import { startSubjects } from '../trust/start-subjects.ts';
import { type Subject, sessionSubject } from '../trust/trust-subjects.ts';
import type { World } from '../world.ts';
import { checkAgents } from './check-agents.ts';
import { areAnyPlaced, checkRunners, needsWorktree } from './check-runners.ts';
import type { StartRequest } from './start-request.ts';
import { readPlanSource } from './wire.ts';

interface ResumeHow {
  readonly attended: boolean;
  readonly background?: boolean;
  readonly takeOver: boolean;
  readonly flags: Flags;
  /** New limits of a loop. */
  readonly preset?: LoopPreset;
}

/**
 * Prepares a resume with the configuration of now, the flags of the last start and later SET signals on top. What would change who works is asked about.
 * `state` is the folded journal, for the trust question.
 */
export const prepareResume = (
  cli: Cli,
  world: World,
  paths: SessionPaths,
  state: SessionState | null,
  how: ResumeHow,
): StartRequest => {
  const flow = flowStartOf(world, paths);
  if (flow !== null) refuseAtEnd(how.flags);
  const plan = readPlanSource(world, paths);
  // The starting program gave a background host all flags, and has asked.
  const kept = how.background === true ? {} : keptFlags(world, paths, state);
  const flags = { ...kept, ...how.flags };
  const { settings, layers } = loadConfiguration(cli, world, {
    workspace: paths.workspace,
    session: paths,
    attended: how.attended,
    ...(how.background === undefined ? {} : { background: how.background }),
    flags,
    ...(plan ? { plan: planLayer(plan.text, plan.file) } : {}),
    // A gate that the session began with stays.
    ownPlan: plan !== null && state?.settings.gates.includes('plan') === false,
  });
  const tasks = tasksOf(state, plan?.text);
  checkRunners(settings, tasks, state?.mode);
  if (state?.changes.isolation === 'shared' && areAnyPlaced(settings, tasks))
    throw new Exit(
      exitCodes.usage,
      needsWorktree('the tasks of this session share the workspace', 'remove `on:`, or start a new session'),
    );
  checkAgents(cli, world, paths.workspace, settings, tasks);
  const start = startSubject(paths.session, kept, how.flags);
  const change =
    state === null || state.startedAt === ''
      ? null
      : changeSubject(paths.session, state.settings, settings, how.flags);
  const own = layers.filter(({ name }) => name === 'plan' || name === 'instructions');
  const { subjects, agreed } = startSubjects(
    world,
    paths.workspace,
    { settings, layers, attended: how.attended },
    tasks,
    definitionSubjects(cli, world, paths.workspace, flow),
  );
  const beside = besideSession(cli, world, paths, {
    plan: plan?.text ?? null,
    runsHooks: settings.commit || flow !== null,
    tasks,
    own,
  });
  if (how.background === true) beside.refuseUnseen();
  return {
    workspace: paths.workspace,
    discovers: false,
    subjects: [
      ...beside.subjects,
      ...(start ? [start] : []),
      ...(change ? [change] : []),
      ...feedbackSubjects(world, paths, state),
      ...subjects,
    ],
    engine: () => {
      const kept = settingsOverResume(world, paths, settings, how.preset);
      const preset = how.preset === undefined ? {} : { preset: how.preset };
      return {
        paths,
        begin: { kind: 'resume', settings: kept, takeOver: how.takeOver, ...preset },
        settings: kept,
        placing: openTasks(state, tasks),
        attended: how.attended,
        ...beside.agreedJournal,
        ...agreed,
        flags,
      };
    },
  };
};

/** What lies beside or in a session, where an agent may have written it. */
const besideSession = (
  { env }: Cli,
  world: World,
  paths: SessionPaths,
  {
    plan,
    runsHooks,
    tasks,
    own,
  }: {
    readonly plan: string | null;
    readonly runsHooks: boolean;
    readonly tasks: readonly TaskDefinition[];
    readonly own: readonly Layer[];
  },
) => {
  const first = readFirstLine(world.disk, paths.journal);
  const seen = sessionFiles({ env, disk: world.disk }, paths.workspace, plan, runsHooks, own);
  const journal = checkJournal(env, world, paths);
  // A host writes its lines before it records them, and holds the session: the engine checks the journal again once that has ended.
  const host = hostOf(world, paths);
  const isRun = host?.alive === true && host.elsewhere === undefined;
  return {
    agreedJournal: isRun ? {} : { agreedJournal: journal.digest },
    // Without a journal there is nothing to resume, and the engine says so.
    subjects:
      first === null
        ? []
        : [
            sessionSubject(paths, first, tasks, own),
            filesSubject(env, world, paths, seen, own),
            ...(isRun ? [] : journalSubject(env, world, paths, journal)),
          ],
    refuseUnseen: () => {
      refuseUnseenFiles(env, world, paths, seen);
      if (!isRun) refuseUnseenJournal(env, world, paths, journal);
    },
  };
};

/** Without this, our copy would replace definitions that changed since a person accepted them. */
const definitionSubjects = (
  cli: Cli,
  world: World,
  workspace: string,
  flow: ReturnType<typeof flowStartOf>,
): readonly Subject[] => [
  ...(flow === null ? [] : phaseSkillSubjects(cli.env, world, workspace)),
  ...(flow?.fill === 'team' ? workerSubjects(world, workspace) : []),
];

/** Those that are not done yet. */
const openTasks = (state: SessionState | null, tasks: readonly TaskDefinition[]): readonly TaskDefinition[] =>
  tasks.filter(({ id }) => !isSettled(state?.tasks.get(id)?.status));

const isSettled = (status: string | undefined): boolean => status === 'done' || status === 'cancelled';

/** The tasks of the session, or of the plan that its Planner has not read yet. */
const tasksOf = (state: SessionState | null, source: string | undefined): readonly TaskDefinition[] => {
  const tasks = [...(state?.tasks.values() ?? [])].map(({ definition }) => definition);
  if (tasks.length > 0 || source === undefined) return tasks;
  const plan = parsePlan(source, 'plan');
  return plan.ok ? plan.value.tasks : [];
};
