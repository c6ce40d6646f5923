import { join } from 'node:path';
import { planSource } from '../../agents/backends/script/plan.ts';
import type { Fault } from '../../base/fault.ts';
import { readText } from '../../base/replace-file.ts';
import { streamBranch } from '../../changes/git/ref-names.ts';
import type { Opening, SessionChanges } from '../../changes/port.ts';
import { unrunHooks } from '../../pipeline/changes/unrun-hooks.ts';
import { isIsolated } from '../../pipeline/isolated.ts';
import { streamOf } from '../../pipeline/modes/flow/flow-tasks.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { Core } from '../core.ts';
import { commitHooks } from '../guards/commit-hooks.ts';
import { hooksNow } from '../guards/hooks.ts';
import type { OpenChanges } from '../open-changes.ts';
import { heldChanges } from './held-changes.ts';
import { tearDownCheck } from './tear-down.ts';

/** `beforeGit`: puts back what an agent changed of what git would run; called before git is asked anything. */
export const createOpenChanges = (core: Core, beforeGit: () => void): OpenChanges => {
  const opened = new Map<string, Promise<SessionChanges | Fault>>();
  const working = new Set<Promise<unknown>>();
  return {
    during: (work) => {
      working.add(work);
      const over = (): void => void working.delete(work);
      work.then(over, over);
      return work;
    },
    idle: () => (working.size === 0 ? null : rest(working)),
    get: (stream = null) => {
      beforeGit();
      const known = opened.get(stream ?? '');
      if (known !== undefined) return known;
      const opening = open(core, stream).then((result) => {
        // A shared workspace needs no snapshots to work in: what forbids them is not asked again for each attempt.
        if ('code' in result && isIsolated(core.loop.state())) opened.delete(stream ?? '');
        return result;
      });
      opened.set(stream ?? '', opening);
      return opening;
    },
    close: async (before) => {
      let fault: Fault | null = null;
      // A life that was killed left worktrees that this one had no need of.
      for (const stream of leftOpen(core)) {
        if (opened.has(stream ?? '')) continue;
        const opening = open(core, stream);
        // It is awaited below, after those before it.
        opening.catch(() => {});
        opened.set(stream ?? '', opening);
      }
      for (const [stream, opening] of opened) {
        const changes = await opening;
        opened.delete(stream);
        beforeGit();
        if ('code' in changes) continue;
        const closed = await changes.close(before);
        if (!closed.ok) fault ??= closed.fault;
      }
      return fault;
    },
  };
};

/** The branches on which a flow has worked, `null` for that of the session; without a flow that one, if it has its worktree. */
const leftOpen = ({ loop, options }: Core): ReadonlySet<string | null> => {
  const state = loop.state();
  const { session, attempts } = state.changes;
  const isLeft = session !== null && options.disk.lstat(session.directory) !== null;
  if (state.mode !== 'flow') return new Set(isLeft ? [null] : []);
  const streams = [...attempts.values()].map(({ task }) => streamOf(state, task));
  return new Set(session === null ? streams : [null, ...streams]);
};

const rest = async (working: ReadonlySet<Promise<unknown>>): Promise<void> => {
  while (working.size > 0) await Promise.allSettled(working);
};

const open = async (core: Core, stream: string | null): Promise<SessionChanges | Fault> => {
  const { options, loop } = core;
  const { changes, paths, secrets = [] } = options;
  if (!changes) return permanent({ code: '', what: 'there is no git here to make worktrees with' });
  const result = await changes.open({
    workspace: paths.workspace,
    session: stream === null ? paths.session : `${paths.session}+${branchPart(stream)}`,
    ...(stream === null
      ? { reads: loop.state().mode === 'flow' }
      : { branch: streamBranch(branchPart(stream)) }),
    isolation: isIsolated(loop.state()) ? 'worktree' : 'shared',
    copy: loop.state().settings.worktree.copy,
    before: tearDownCheck(core),
    patches: join(paths.directory, 'patches'),
    secrets,
    recorded: recordedIn(loop.state(), stream),
  });
  if (!result.ok) return isIsolated(loop.state()) ? permanent(result.fault) : result.fault;
  if (isIsolated(loop.state()) && stream === null) await announce(core, result.value);
  return heldChanges(result.value, core.isStillOurs);
};

/** The snapshots that the journal names: they count, whatever an agent wrote into the refs of the repository. */
const recordedIn = (state: SessionState, stream: string | null): NonNullable<Opening['recorded']> =>
  [...state.changes.attempts].flatMap(([key, { task, attempt, before, after }]) =>
    streamOf(state, task) === stream
      ? [{ task: key.slice(0, key.lastIndexOf('/')), attempt, before, after }]
      : [],
  );

/** An issue's id as a part of a branch's name. */
const branchPart = (issue: string): string => issue.replace(/[^A-Za-z0-9-]+/g, '-');

/** Records the branch, and says what is odd about the repository, once in a session. */
const announce = async ({ options, loop, problem }: Core, { worktree }: SessionChanges): Promise<void> => {
  if (worktree === null || loop.state().changes.session?.directory === worktree.directory) return;
  const examined = await options.changes?.examine(options.paths.workspace, planOf(options));
  if (!loop.isOpen()) return;
  loop.run(() => {
    const on = examined?.repository?.branch;
    const hooks = [...commitHooks(hooksNow(options))];
    loop.commit({
      type: 'changes.opened',
      ...worktree,
      ...(on === undefined ? {} : { on }),
      ...(hooks.length === 0 ? {} : { hooks }),
    });
    for (const { sentence } of examined?.notes ?? [])
      problem({ code: 'repository', what: sentence.replace(/\.$/, '') });
    // A person at the end is asked with this sentence.
    const unrun = loop.state().attended ? null : unrunHooks(hooks);
    if (unrun !== null) problem({ code: 'repository', what: unrun.replace(/\.$/, '') });
  });
};

/** The text of the plan that the session was started with, or `null`. */
const planOf = ({ disk, paths }: Core['options']): string | null =>
  readText(disk, planSource(paths.directory));

/** Another try gives the same: a person has to do something first. */
export const permanent = (fault: Fault): Fault => ({ ...fault, code: 'worktree' });
