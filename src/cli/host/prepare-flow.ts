import { issueName } from '../../issues/issue.ts';
import type { FlowPhases } from '../../issues/position/flow-phases.ts';
import type { Event } from '../../pipeline/event.ts';
import type { FlowStart } from '../../pipeline/modes/flow/flow-state.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Settings } from '../../session/settings.ts';
import { type Cli, Exit, exitCodes, refusedStart, usage } from '../cli.ts';
import { type FoundFlow, findFlow, findUnwatched } from '../issues/find-flow.ts';
import { type FlowContext, readFlow } from '../issues/flow-context.ts';
import { tasksOf } from '../issues/list-tasks.ts';
import { alreadyRunning, runningFor, type StartedIssues } from '../issues/start-alone.ts';
import type { Flags } from '../options.ts';
import type { OutputMode } from '../output-mode.ts';
import { loadConfiguration } from '../settings/load-settings.ts';
import { phaseSkillSubjects } from '../trust/own-skills.ts';
import { workerSubjects } from '../trust/own-workers.ts';
import { startSubjects } from '../trust/start-subjects.ts';
import { wireChanges } from '../wire-changes.ts';
import type { World } from '../world.ts';
import { checkAgents } from './check-agents.ts';
import { checkRunners } from './check-runners.ts';
import { prepareResume } from './prepare-resume.ts';
import type { StartRequest } from './start-request.ts';
import { newSessionPaths } from './wire.ts';
import { holderOf } from './wire-flow.ts';

export interface FlowRun {
  readonly workspace: string;
  readonly issue: string;
  /** The issue alone, without its group. */
  readonly only: boolean;
  /** Instead of `flow.tracker`. */
  readonly tracker?: string;
  /** Named workers take the tasks, instead of a fresh agent each. Left out: fresh agents, and a resumed session keeps what it is. */
  readonly team?: boolean;
  /** Instead of `flow.phases`. */
  readonly phases?: FlowPhases;
  readonly source: 'goal' | 'demo';
  readonly mode: OutputMode;
  /** In a process of its own. */
  readonly background?: boolean;
  /** Other sessions of the workspace are expected: a person agreed to several at once. */
  readonly beside?: boolean;
  /** A person answers although there is no screen. */
  readonly attended?: boolean;
  readonly flags: Flags;
  /** Sees the events of the session. */
  readonly observe?: (paths: SessionPaths) => (event: Event) => void;
}

/** A flow ready to start. */
export type PreparedFlow =
  | { readonly kind: 'new'; readonly request: StartRequest; readonly context: FlowContext }
  | { readonly kind: 'resumed'; readonly fill: FoundFlow['fill']; readonly request: StartRequest };

/**
 * Checks an issue, its group and the settings; writes nothing. The issue's unfinished session is resumed, and a complete one whose pull request is to be
 * watched; one that runs is an error with exit 3
 * (src/issues/README.md, On the screen).
 */
export const prepareFlow = async (cli: Cli, world: World, start: FlowRun): Promise<PreparedFlow> => {
  const attended = start.attended ?? (start.mode === 'screen' || start.mode === 'reader');
  const found = findFlow(world, start.workspace, start.issue);
  if (found?.host?.alive) throw refusedStart(alreadyRunning([start.issue], found.paths, found.host.pid));
  const resumed = (flow: FoundFlow): PreparedFlow => {
    const how = { attended, takeOver: false, flags: start.flags };
    return { kind: 'resumed', fill: flow.fill, request: prepareResume(cli, world, flow.paths, null, how) };
  };
  if (found !== null) {
    refuseOtherMode(start, found);
    return resumed(found);
  }
  const { settings, layers } = loadConfiguration(cli, world, {
    workspace: start.workspace,
    attended,
    flags: start.flags,
  });
  refuseScript(settings);
  const named = Object.values(settings.flow.agents).map((agent) => ({ agent }));
  checkRunners(settings, [], 'flow');
  checkAgents(cli, world, start.workspace, settings, named);
  refuseWatch(start, settings);
  const { phases, tracker } = start;
  const options = {
    issue: start.issue,
    only: start.only,
    settings,
    ...(phases === undefined ? {} : { phases }),
    ...(tracker === undefined ? {} : { tracker }),
  };
  const context = await readFlow({ ...cli, cwd: start.workspace }, options);
  const issues = issuesOf(start, context, settings);
  const running = runningFor(world, { workspace: start.workspace, session: '' }, issues);
  if (running !== null) throw refusedStart(running);
  if ((attended || start.flags.watch === true) && tasksOf(context).length === 0) {
    const open = findUnwatched(world, start.workspace, start.issue);
    if (open !== null) return resumed(open);
  }
  const { repository } = await wireChanges(cli.env, world).examine(start.workspace);
  const { subjects, agreed } = startSubjects(world, start.workspace, { settings, layers, attended }, named, [
    ...phaseSkillSubjects(cli.env, world, start.workspace),
    ...(start.team === true ? workerSubjects(world, start.workspace) : []),
  ]);
  const request: StartRequest = {
    workspace: start.workspace,
    discovers: start.source !== 'demo',
    // The sample is ours, in a folder that was just made for it.
    subjects: start.source === 'demo' ? [] : subjects,
    engine: () => {
      const paths = newSessionPaths(cli, world, start.workspace);
      return {
        paths,
        begin: {
          kind: 'new',
          goal: goalOf(context, start.issue),
          source: start.source,
          settings,
          mode: 'flow',
          flow: {
            ...flowOf(start, context),
            tracker: issues.tracker,
            holder: holderOf(paths),
            on: repository?.branch ?? null,
          },
        },
        settings,
        attended,
        ...agreed,
        flags: start.flags,
        issues,
        ...(start.observe === undefined ? {} : { observe: start.observe(paths) }),
      };
    },
  };
  return { kind: 'new', request, context };
};

/** What a person chose, by options and settings. */
const flowOf = (
  { issue, only, team }: FlowRun,
  { review, autoMerge, drafts, phases }: FlowContext,
): Omit<FlowStart, 'tracker' | 'holder' | 'on'> => ({
  issue,
  only,
  review,
  auto_merge: autoMerge,
  ...(drafts ? { draft: true } : {}),
  phases,
  fill: team === true ? 'team' : 'fresh',
});

/** Those of the list; where there is none, the one that was asked for. */
const issuesOf = ({ issue, tracker }: FlowRun, context: FlowContext, { flow }: Settings): StartedIssues => {
  const listed = tasksOf(context).flatMap(({ issues }) => issues);
  return {
    tracker: tracker ?? flow.tracker,
    issues: listed.length === 0 ? [issue] : [...new Set(listed)],
    index: context.index,
  };
};

/** Refuses `--mode team` for a session in mode hero, and the reverse: to resume it would ignore what was asked for. */
const refuseOtherMode = ({ issue, team }: FlowRun, { paths, fill }: FoundFlow): void => {
  if (team === undefined || team === (fill === 'team')) return;
  const [is, asked] = fill === 'team' ? ['team', 'hero'] : ['hero', 'team'];
  throw new Exit(exitCodes.waits, {
    code: 'other-mode',
    what: `issue ${issue} has an unfinished session in ${is} mode, but --mode ${asked} was given`,
    where: paths.directory,
    hint: `continue it with \`ralph-tui resume ${paths.session}\`; to start over in ${asked} mode, run \`ralph-tui signal ABORT --session ${paths.session}\`, then \`ralph-tui resume ${paths.session}\` to end that session, and then this command again`,
  });
};

/** Refuses `--watch` where no pull request can be looked at: it would end at once. */
const refuseWatch = ({ tracker, flags }: FlowRun, { flow }: Settings): void => {
  const name = tracker ?? flow.tracker;
  if (flags.watch === true && name !== 'gh')
    throw usage(
      `--watch waits for pull requests on GitHub, but the tracker is ${name}`,
      'leave --watch out, or add --tracker gh',
    );
};

/** `42: Add a greeting`, and how many issues come with it. */
const goalOf = ({ index, group }: FlowContext, id: string): string => {
  const issue = index.byId.get(id);
  const more = group.order.length - 1;
  const name = issue === undefined ? id : issueName(issue);
  return `${name}: ${issue?.title ?? ''}${more > 0 ? ` (and ${more} more ${more === 1 ? 'issue' : 'issues'} in its group)` : ''}`;
};

/** Research and plans are texts, which no command of a plan file writes. */
const refuseScript = ({ roles, flow }: Settings): void => {
  const phases = ['research', 'plan', 'review', 'implement'] as const;
  const roleOf = { research: 'analyst', plan: 'builder', review: 'validator', implement: 'builder' } as const;
  const script = phases.find(
    (phase) =>
      (flow.agents[phase] ?? flow.agents[roleOf[phase]] ?? roles['executor'] ?? 'script') === 'script',
  );
  if (script !== undefined)
    throw usage(
      `the phase ${script} has no agent: the script agent cannot work on issues`,
      'name one with --agent NAME, or per phase under flow.agents',
      'no-agent',
    );
};
