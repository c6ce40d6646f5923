import { printedCommand } from '../../base/process/printed-command.ts';
import { safe } from '../../base/safe.ts';
import type { Issue, IssueId } from '../../issues/issue.ts';
import { stateSlug } from '../../issues/state.ts';
import { stateAfter } from '../../issues/transitions.ts';
import { type Cli, Exit, exitCodes, usage } from '../cli.ts';
import { hostApart } from '../host/host-apart.ts';
import { type FlowRun, prepareFlow } from '../host/prepare-flow.ts';
import { refuseUnasked } from '../host/refuse-unasked.ts';
import { refuseFailedRequests } from '../issues/failed-requests.ts';
import { findInReview } from '../issues/find-flow.ts';
import type { FlowContext } from '../issues/flow-context.ts';
import { listTasks } from '../issues/list-tasks.ts';
import { agreeTo, type Consent } from '../trust/ask-trust.ts';
import type { World } from '../world.ts';
import { besideOthers } from './beside-others.ts';
import { type Discovering, discoverFirst } from './discover-first.ts';
import { offerInstall } from './offer-install.ts';
import { orNoSession } from './or-no-session.ts';
import { runSession } from './run-session.ts';
import { watchHosted } from './watch-hosted.ts';

/** Takes an issue, or its group, through the phases, once the trust question is settled; or resumes the session that began with it. */
export const startFlow = async (
  cli: Cli,
  world: World,
  start: FlowRun,
  how: Consent,
  look: Discovering = { discovery: false, despiteCritical: false },
): Promise<number> => {
  const prepared = await offerInstall(cli, how, () => prepareFlow(cli, world, start));
  if (prepared.kind === 'new') {
    const list = listTasks(prepared.context);
    if (list.tasks.length === 0) {
      await refuseFailedRequests(cli, world, start);
      return nothingToDo(cli, prepared.context, start.flags.watch === true, () =>
        findInReview(world, start.workspace, start.issue, [...prepared.context.index.byId.values()]),
      );
    }
    if (start.mode === 'plain' || start.mode === 'reader')
      for (const { kind, text } of [...list.about, ...list.list])
        cli.print(kind === 'item' ? `  ${text}` : text);
    if (start.mode === 'screen' && how.mayAsk && !how.yes) {
      const { askTaskList } = await import('../screen/ask-issue.ts');
      if (!(await askTaskList(cli, world, start.workspace, { issue: start.issue, list }))) {
        cli.print('Nothing was started.');
        return exitCodes.done;
      }
    }
    const beside = start.beside === true ? null : await besideOthers(cli, world, start, how);
    if (beside !== null && beside.kind !== 'start') return exitCodes.done;
  } else if (start.mode !== 'json' && start.mode !== 'screen')
    cli.note(
      `ralph-tui: resuming the session of issue ${start.issue} in ${prepared.fill === 'team' ? 'team' : 'hero'} mode`,
    );
  const { request } = prepared;
  if (!(await agreeTo(cli, world, request, how))) return exitCodes.done;
  const discovered = await discoverFirst(cli, world, request, how, look);
  if (discovered.kind === 'stay') return exitCodes.done;
  const made = request.engine();
  const isSetSo = start.observe === undefined && made.settings.host === 'background';
  const apart = start.background === true || isSetSo;
  orNoSession(world, made, () => refuseUnasked(made, { background: apart, attended: made.attended }));
  if (!apart) return runSession(cli, world, made, start.mode).finally(discovered.stop);
  const pid = await hostApart(cli, world, made).finally(discovered.stop);
  return watchHosted(cli, world, made.paths, pid, start);
};

/** No task can be made now: done, or somebody else has to move first. */
const nothingToDo = (
  cli: Cli,
  { index, position }: FlowContext,
  watches: boolean,
  left: () => readonly string[],
): number => {
  const inReview = position.issues.filter(({ state }) => state === 'In Review').map(({ id }) => id);
  if (watches && inReview.length > 0)
    throw new Exit(exitCodes.waits, {
      code: 'nothing-to-watch',
      what: `${safe(inReview.join(', '))}: in review, but no session here has opened a pull request on GitHub`,
      hint: 'watch the review on GitHub, or with `gh pr checks --watch`',
    });
  const { recommendation, reason, escalations } = position;
  const asks = escalations.map(({ issue, reason: each }) => `${issue} needs a person: ${each}`);
  // Where only persons can help, the reason is that of the first of them.
  const why = recommendation === 'escalate' && asks.length > 0 ? asks : [reason, ...asks];
  if (recommendation === 'proceed' && escalations.length === 0) {
    cli.print(safe(`Nothing is left to do: ${reason}.`));
    if (inReview.length > 0) for (const words of left()) cli.print(`In review: ${words}`);
    return exitCodes.done;
  }
  throw new Exit(exitCodes.waits, {
    code: 'issues-wait',
    what: `nothing can be done now: ${why.map(safe).join('; ')}`,
    hint: waitHint(
      position.issues.flatMap(({ id }) => index.byId.get(id) ?? []),
      escalations.map(({ issue }) => issue),
      position.issues.flatMap(({ obstacle }) => obstacle?.blocker ?? []),
    ),
  });
};

/** What a person can do: a lock of another machine never returns by itself here, and the comments of an issue that needs a person say how it goes on. */
const waitHint = (
  issues: readonly Issue[],
  needPerson: readonly IssueId[],
  blockers: readonly IssueId[],
): string => {
  const locked = issues.find(({ lock }) => lock !== undefined);
  const [first] = needPerson;
  if (locked === undefined && first !== undefined)
    return `read what was tried and how to continue with \`${printedCommand('ralph-tui', 'issues', 'show', first)}\``;
  const [blocker] = blockers;
  if (locked === undefined && blocker !== undefined)
    return `see how far issue ${safe(blocker)} is, or work on it first, with \`${printedCommand('ralph-tui', 'run', '--issue', blocker)}\``;
  if (locked === undefined)
    return 'see `ralph-tui issues`, and move a waiting issue with `ralph-tui issues move`';
  const back = stateAfter(locked.state, 'fail');
  const state = stateSlug(back.ok ? back.value : locked.state);
  return `if that session is gone, take the lock with \`${printedCommand('ralph-tui', 'issues', 'move', locked.id, state, '--break-lock')}\``;
};

/** Refuses options that belong to another way to run. */
export const refuseBesideIssue = (
  options: Readonly<Record<'plan' | 'focus' | 'preset' | 'goal', unknown>>,
): void => {
  const wrong = (['plan', 'focus', 'preset', 'goal'] as const).find((name) => options[name] !== undefined);
  if (wrong !== undefined)
    throw usage(
      `--issue and ${wrong === 'goal' ? 'a goal' : `--${wrong}`} cannot be combined`,
      `an issue has its own goal and tasks: leave ${wrong === 'goal' ? 'the goal' : `--${wrong}`} out`,
    );
};
