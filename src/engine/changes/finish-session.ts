import { faultSentence } from '../../base/fault.ts';
import { mergeCommand, printedCommand } from '../../base/process/printed-command.ts';
import { movedCode } from '../../changes/own-refs.ts';
import type { Finish, Finished, SessionChanges } from '../../changes/port.ts';
import type { Result } from '../../changes/result.ts';
import type { FinishHow } from '../../pipeline/changes/changes-state.ts';
import { finishMessage, finishTitle } from '../../pipeline/changes/finish-message.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { Core } from '../core.ts';

/** Brings the session's branch to the person as they chose, and returns the outcome. */
export const finish = async (core: Core, changes: SessionChanges, how: FinishHow): Promise<EventBody> => {
  const wish = await finishOf(core, how);
  if ('reason' in wish) return { type: 'finish.refused', ...wish };
  const first = await changes.finish(wish);
  const done =
    first.ok || !isSeen(core, first.fault.state) ? first : await finishAnyway(changes, wish, first);
  if (!done.ok) {
    const { code, state } = done.fault;
    const unseen = code === 'configuration-changed' || code === movedCode;
    const reason = faultSentence(done.fault);
    return {
      type: 'finish.refused',
      reason,
      ...(unseen ? { unseen } : {}),
      ...(state === undefined ? {} : { state }),
    };
  }
  const { value } = done;
  const branch = changes.worktree?.branch ?? value.branch;
  switch (value.how) {
    case 'merged':
      return { type: 'changes.finished', how, branch, commit: value.commit };
    case 'kept':
      return {
        type: 'changes.finished',
        how,
        branch,
        ...(value.inTheWay.length === 0 ? {} : { in_the_way: [...value.inTheWay] }),
        ...(value.unsaved.length === 0 ? {} : { unsaved: [...value.unsaved] }),
        ...takeOf(core, value),
      };
    case 'pull-request':
      return {
        type: 'changes.finished',
        how,
        branch,
        commands: value.commands.map((words) => printedCommand(...words)),
        ...(value.hasRemote ? {} : { no_remote: true }),
      };
  }
};

/** How a person takes the kept branch from where they stand; nothing where a merge by git does it. */
const takeOf = (
  { loop }: Core,
  { branch, into, bringsBack }: Extract<Finished, { how: 'kept' }>,
): { readonly take?: string[] } => {
  const { session, changes } = loop.state();
  const on = changes.session?.on ?? null;
  const first = on === null || on === into ? [] : [printedCommand('git', 'switch', on)];
  if (bringsBack)
    return { take: [...first, printedCommand('ralph-tui', 'resume', session, '--at-end', 'squash')] };
  return first.length === 0 ? {} : { take: [...first, mergeCommand(branch)] };
};

/** The person was told of exactly this, and said merge again. */
const isSeen = ({ loop }: Core, state: string | undefined): boolean =>
  state !== undefined && loop.state().changes.unfinished?.state === state;

/** What a person may choose although it was refused once: a merge that brings commits back, a changed configuration or hook, a branch that somebody else moved. */
const finishAnyway = async (
  changes: SessionChanges,
  wish: Finish,
  first: Extract<Result<Finished>, { ok: false }>,
): Promise<Result<Finished>> => {
  const { code, state = '' } = first.fault;
  if (code === 'brings-back' && wish.how === 'merge') return changes.finish({ ...wish, bringBack: true });
  if (code !== 'configuration-changed' && code !== movedCode) return first;
  const accepted = await changes.acceptConfiguration(state);
  return accepted.ok ? changes.finish(wish) : accepted;
};

/** The wish in the words of git, or the reason why it cannot be. */
const finishOf = async (
  core: Core,
  how: FinishHow,
): Promise<Finish | { readonly reason: string; readonly state?: string }> => {
  const { options, loop } = core;
  if (how === 'keep') return { how };
  if (how === 'pull-request')
    return { how, title: finishTitle(loop.shown()), base: loop.state().changes.session?.on ?? null };
  const examined = await options.changes?.examine(options.paths.workspace);
  const into = examined?.repository?.branch ?? null;
  if (into === null)
    return { reason: 'no branch is checked out in the workspace: check one out, or keep the branch.' };
  const { on = into } = loop.state().changes.session ?? {};
  const state = `into ${into}`;
  if (on !== into && !isSeen(core, state))
    return {
      reason: `${into} is checked out, but the session began on ${on ?? 'no branch'}: switch back, or choose again to use ${into}.`,
      state,
    };
  return { how, into, message: finishMessage(loop.shown()) };
};
