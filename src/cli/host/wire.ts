import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createBackends } from '../../agents/backends/index.io.ts';
import { planSource } from '../../agents/backends/script/plan.ts';
import { formatTimestamp } from '../../base/clock.ts';
import { type Fault, toFault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { readText, writeNew } from '../../base/replace-file.ts';
import { discardDirectory } from '../../base/temporary-file.ts';
import { type ChosenIsolation, chooseIsolation, wantsWorktrees } from '../../changes/choose-isolation.ts';
import type { Examined } from '../../changes/examined.ts';
import { createEngine } from '../../engine/create-engine.ts';
import type { Engine, EngineOptions } from '../../engine/engine.ts';
import { watchDirectory } from '../../engine/mailbox/watch-directory.io.ts';
import type { DebugLog } from '../../observability/debug/debug-log.ts';
import type { Event } from '../../pipeline/event.ts';
import type { FlowStart } from '../../pipeline/modes/flow/flow-state.ts';
import { type Guidance, guidanceFileName } from '../../session/guidance/guidance.ts';
import { type SessionPaths, sessionPaths } from '../../session/paths.ts';
import { sessionDirectoryFault } from '../../session/private-directory.ts';
import { reserveSessionId } from '../../session/session-id.ts';
import type { Settings } from '../../session/settings.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import { type Cli, failure } from '../cli.ts';
import { flowStartOf } from '../issues/find-flow.ts';
import { type StartedIssues, startAlone } from '../issues/start-alone.ts';
import type { Flags } from '../options.ts';
import { readyRunners } from '../runners/ready-runners.ts';
import { stopEarlier } from '../runners/stop-earlier.ts';
import { wireRunners } from '../runners/wire-runners.ts';
import { earlierTimes } from '../session/earlier-times.ts';
import { forgetOldest } from '../session/proof/session-records.ts';
import { noteOpened } from '../session/seen-file.ts';
import { stateDirectory } from '../state-directory.ts';
import { besideWorkspace } from '../trust/beside-workspace.ts';
import { readGuidance } from '../trust/guidance-store.ts';
import { startName, startText } from '../trust/kept-start.ts';
import { promptOf } from '../trust/own-prompts.ts';
import { rememberFiles, sessionFiles } from '../trust/session-files.ts';
import { rememberOwnText, rememberTrust } from '../trust/trust-memory.ts';
import { sessionName } from '../trust/trust-subjects.ts';
import { version } from '../version.ts';
import { wireChanges } from '../wire-changes.ts';
import type { World } from '../world.ts';
import { areAnyPlaced } from './check-runners.ts';
import { largePlan, releaseAroundTasks } from './keep-memory-small.ts';
import { listProjectFiles } from './list-project-files.ts';
import { noteRunners } from './note-runners.ts';
import { openSessionLog } from './observe/log-for-debugging.ts';
import { openTrace } from './observe/trace-session.ts';
import { createDoor } from './open-door.ts';
import { shadowPlace } from './session-shadow-place.ts';
import { lazyTools } from './session-tools.ts';
import { taskAgentProblem } from './task-agent-problem.ts';
import { wireFlow } from './wire-flow.ts';

/** Creates the directory of a new session and returns its paths. No other session has that directory. */
export const newSessionPaths = ({ env }: Pick<Cli, 'env'>, world: World, workspace: string): SessionPaths => {
  const unsafe = sessionDirectoryFault(world.disk, sessionPaths(workspace, '000000-000000'));
  if (unsafe) throw failure(unsafe);
  const ids = join(stateDirectory(env), 'ids');
  return sessionPaths(workspace, reserveSessionId(world.disk, world.clock, workspace, ids));
};

export interface EngineRequest {
  readonly paths: SessionPaths;
  readonly begin: EngineOptions['begin'];
  readonly settings: Settings;
  readonly attended: boolean;
  /** A new session's plan. A copy is kept in the session, and the script Planner reads it. */
  readonly planSource?: string;
  /** The tasks of that plan, for a screen that is drawn before the engine starts. */
  readonly plan?: { readonly goal: string; readonly tasks: readonly TaskDefinition[] };
  /** Completes the workspace. Awaited before the engine starts, behind the first frame of a screen. */
  readonly prepared?: () => Promise<unknown>;
  /** Whether the tasks of a new session's plan are to work in worktrees (`wantsWorktrees`). Absent: as for a session without a plan. */
  readonly worktrees?: boolean;
  /** The tasks of the plan or the session that may run on runners. Absent: as for a session without a plan. */
  readonly placing?: readonly Pick<TaskDefinition, 'on' | 'agent'>[];
  /** SHA-256 of the accepted workspace configuration; `null` when it needs no consent. */
  readonly config: string | null;
  /** SHA-256 of the journal of a resume, which is ours or was accepted. */
  readonly agreedJournal?: string;
  /** SHA-256 of each file that agents load from the repository, as they were accepted. */
  readonly agentFiles: readonly string[];
  readonly flags: Flags;
  /** What a new flow is about. */
  readonly issues?: StartedIssues;
  /** Sees every event after it was recorded. */
  readonly observe?: (event: Event) => void;
}

/** Wires disk, clock, processes and backends into one engine. */
export const wireEngine = (cli: Cli, world: World, request: EngineRequest): Engine => {
  const shadow = shadowPlace(cli.env, world, request.paths);
  const trace = openTrace(cli, world, request.settings);
  const tools = lazyTools(world, trace.env['TRACEPARENT']);
  const orphanAfterMs = request.settings.timeouts.orphan_after;
  const news = noteRunners(world, request.paths, orphanAfterMs, () => engine);
  const runners = wireRunners(cli, world, request.settings, news);
  const debug = openSessionLog(cli, world, request);
  const flow = flowOf(cli, world, request, debug.log);
  const door = createDoor(cli, world, request.paths, flow.start?.fill === 'team');
  const engine: Engine = createEngine({
    ...world,
    placeOn: runners.placeOn,
    stopOnRunners: stopEarlier(cli, world, request.settings, request.paths),
    paths: request.paths,
    backends: door.withForeign(
      createBackends({ ...world, env: trace.env, version, tools, warm: true }, request.settings.agents),
    ),
    agentProblem: taskAgentProblem(cli, world, request.paths.workspace, request.settings),
    instructions: (mode) => promptOf(cli.env, world, request.paths.workspace, mode)?.text ?? null,
    changes: wireChanges(cli.env, world, {
      hasRunners: mayHaveRunners(request),
    }),
    begin: request.begin,
    shadow: shadow.path,
    ...besideWorkspace(cli.env, world, request),
    guidance: readGuidance(cli, world, request.paths.workspace).value,
    guidanceNow: () => changedGuidance(cli, world, request.paths.workspace),
    attended: request.attended,
    cores: availableParallelism(),
    earlier: () => earlierTimes(world.disk, request.paths),
    flags: request.flags,
    program: `ralph-tui ${version}`,
    watchMailbox: watchDirectory,
    listFiles: () => listProjectFiles(request.paths.workspace),
    ...flow.port,
  });
  // Nothing awaits the closing: an open port does not keep the program alive.
  void engine.settled().then(() => {
    tools.close();
    runners.close();
    shadow.drop();
  });
  if (request.observe) engine.subscribe(request.observe);
  debug.follow(engine);
  trace.follow(engine, request.paths.session);
  engine.subscribe((event) => noteStart(cli, world, request, event));
  if (request.begin.kind === 'new') engine.subscribe((event) => noteOwn(cli, world, request, event));
  let quitting: string | null = null;
  return {
    ...engine,
    // An engine that has not begun has nothing to quit: a wish from before that is kept until it has.
    quit: async (reason) => {
      quitting ??= reason;
      await engine.quit(reason);
    },
    start: async () => {
      await request.prepared?.();
      const chosen = await isolationOf(cli, world, request);
      if (chosen !== null && 'code' in chosen) return chosen;
      const unready = await readyRunners(cli, world, request.settings, request.placing ?? []);
      if (unready !== null) {
        if (request.begin.kind === 'new') discardDirectory(world.disk, request.paths.directory);
        return unready;
      }
      if (request.planSource !== undefined) writePlanSource(world, request.paths, request.planSource);
      if (planLength(world, request) >= largePlan) releaseAroundTasks(engine);
      const fault = await startAlone(world, request, () => {
        const starting = engine.start(chosen ?? undefined);
        if (quitting !== null) void engine.quit(quitting);
        return starting;
      });
      if (fault === null) await door.open(engine);
      if (fault === null && request.attended) await hearAnswers(cli, world, request, engine);
      return fault;
    },
  };
};

const hearAnswers = async (
  cli: Cli,
  world: World,
  { paths }: EngineRequest,
  engine: Engine,
): Promise<void> => {
  const { takeAnswers } = await import('./take-answers.ts');
  await takeAnswers(cli, world, paths, engine);
};

/** The tracker of a flow. A resumed one has its own in the journal. */
const flowOf = (
  cli: Cli,
  world: World,
  { begin, paths }: EngineRequest,
  log: DebugLog | null,
): { readonly start: FlowStart | null; readonly port: Pick<EngineOptions, 'flow'> } => {
  const start = (begin.kind === 'new' ? begin.flow : flowStartOf(world, paths)) ?? null;
  return { start, port: start ? { flow: wireFlow(cli, world, paths, start, log) } : {} };
};

/** Whether files may come back from a runner. A session that goes on may hold some, wherever its open tasks are placed. */
const mayHaveRunners = ({ settings, placing = [], begin }: EngineRequest): boolean =>
  areAnyPlaced(settings, placing) || (begin.kind !== 'new' && Object.keys(settings.runners).length > 0);

/** Where the tasks of a new session change files; a fault when it cannot be as the settings say. Then its directory, still empty, goes. */
const isolationOf = async (
  { env }: Cli,
  world: World,
  { begin, paths, settings, worktrees, placing = [] }: EngineRequest,
): Promise<ChosenIsolation | Fault | null> => {
  if (begin.kind !== 'new' || begin.mode === 'loop') return null;
  const isFlow = begin.mode === 'flow';
  const placed = areAnyPlaced(settings, placing);
  if (!isFlow && !placed && !(worktrees ?? wantsWorktrees(settings, [])))
    return { isolation: 'shared', reason: null };
  const examined = await wireChanges(env, world).examine(paths.workspace);
  const chosen = isFlow ? forFlow(examined) : chooseIsolation(settings, examined, placed);
  if ('code' in chosen) discardDirectory(world.disk, paths.directory);
  return chosen;
};

/** Issues are worked on in worktrees only: each stream has a branch of its own. */
const forFlow = ({ worktrees }: Examined): ChosenIsolation | Fault =>
  worktrees.ok
    ? { isolation: 'worktree', reason: null }
    : {
        code: 'no-worktrees',
        what: `issues are worked on in worktrees of a git repository. ${worktrees.reason.replace(/\.$/, '')}`,
        hint: 'create a repository with a first commit here: `git init`, `git add`, `git commit`',
      };

/** A background host finds the plan in the session, where the starting program put it. */
const planLength = (world: World, { begin, planSource: text, paths }: EngineRequest): number =>
  begin.kind === 'new' ? (text ?? readPlanSource(world, paths)?.text ?? '').length : 0;

/** The guidance of a running session's workspace; `null` without a file. A file that is broken or not accepted does not count: an agent could have done that. */
const changedGuidance = (cli: Cli, world: World, workspace: string): Guidance | Fault | null => {
  try {
    if (world.disk.lstat(join(workspace, guidanceFileName)) === null) return null;
    const { value, trusted, problems } = readGuidance(cli, world, workspace);
    if (!trusted) return notAccepted;
    return problems[0] ?? value;
  } catch (error) {
    return toFault(error, guidanceFileName);
  }
};

const notAccepted: Fault = {
  code: 'guidance-not-accepted',
  what: `${guidanceFileName} has changed and is not yet accepted, so it has no effect`,
  hint: 'review and save it with `ralph-tui guidance edit`',
};

/** Remembers the flags of this start outside the workspace: from the journal alone a resume would not take them. */
const noteStart = (cli: Cli, world: World, { paths, flags }: EngineRequest, event: Event): void => {
  if (event.type !== 'session.started') return;
  const { workspace, session } = paths;
  noteOpened(cli, world, paths);
  rememberOwnText(cli.env, world, workspace, startName(session), startText(session, flags));
};

/** Remembers a session of ours by its first line before that line is on disk: after a crash it would count as foreign. */
const noteOwn = (cli: Cli, world: World, request: EngineRequest, event: Event): void => {
  if (event.type !== 'session.created') return;
  const { workspace, session } = request.paths;
  const plan = request.planSource ?? readPlanSource(world, request.paths)?.text ?? null;
  const files = sessionFiles(
    { env: cli.env, disk: world.disk },
    workspace,
    plan,
    request.settings.commit || event.flow !== undefined,
  );
  rememberFiles(cli.env, world, request.paths, files);
  forgetOldest(cli.env, 'journals');
  rememberTrust(cli.env, world, {
    workspace,
    name: sessionName(session),
    sha256: sha256(JSON.stringify(event)),
    at: formatTimestamp(world.clock),
  });
};

/** Reads the plan a session was started with, if it is still there. */
export const readPlanSource = (
  world: World,
  paths: SessionPaths,
): { readonly file: string; readonly text: string } | null => {
  const file = planSource(paths.directory);
  const text = readText(world.disk, file);
  return text === null ? null : { file, text };
};

export const writePlanSource = (world: World, paths: SessionPaths, text: string): void => {
  world.disk.mkdir(paths.directory);
  try {
    writeNew(world.disk, world.random, planSource(paths.directory), text);
  } catch (error) {
    discardDirectory(world.disk, paths.directory);
    throw error;
  }
};
