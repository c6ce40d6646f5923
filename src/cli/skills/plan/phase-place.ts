import { safe } from '../../../base/safe.ts';
import type { Attempt, BeforeRemoval, SessionChanges } from '../../../changes/port.ts';
import { secretsIn } from '../../../engine/changes/why-asked.ts';
import { violationsIn } from '../../../session/guidance/guards.ts';
import { count } from '../../../words/local-time.ts';
import { failure } from '../../cli.ts';
import type { SkillRun } from '../skill-run.ts';
import { good, restoreFile } from './plan-place.ts';
import { runInWorktree } from './run-checks.ts';

/** Where one phase is worked on. */
export interface PhasePlace {
  /** Absolute. */
  readonly directory: string;
  /** Text of what the phase changed so far; `null` where nothing records it. */
  readonly changed: () => Promise<string | null>;
  /**
   * Commits the phase and merges it onto the branch of the plan. Returns why that was refused, or `null`. `looked`: the last refusal, at which the person
   * looked.
   */
  readonly merge: (message: string, looked: string | null) => Promise<string | null>;
}

/** `Phase 2: Read` as the id of a task: `phase-2`. */
export const taskOfPhase = (phase: string): string =>
  `phase-${/^Phase (\d+)/.exec(phase)?.[1] ?? phase.length}`;

/** Makes the worktree of a phase, or finds the one in which it was left. Without changes it is the workspace itself. */
export const openPhasePlace = async (
  run: SkillRun,
  changes: SessionChanges | null,
  plan: string,
  phase: string,
): Promise<PhasePlace> => {
  if (changes === null) return inWorkspace(run);
  const attempt = await attemptOf(changes, taskOfPhase(phase));
  const prepared = good(await changes.prepare(attempt, { from: 'session' }));
  for (const text of prepared.problems) run.journal.add({ type: 'said', by: 'program', text: safe(text) });
  const known = good(await changes.attempts()).some(
    (each) => each.task === attempt.task && each.attempt === attempt.attempt && each.before !== null,
  );
  if (!prepared.existed) {
    const failed = await runInWorktree(run, 'setup', prepared);
    if (failed !== null)
      throw failure({
        code: 'worktree-setup',
        where: prepared.directory,
        what: `worktree.setup failed: ${failed}`,
        hint: 'fix it, then continue',
      });
  }
  if (!prepared.existed || !known) good(await changes.snapshot(attempt, 'before'));
  const merged = changes.worktree?.directory ?? run.workspace;
  let refused: { readonly reason: string; readonly state: string } | null = null;
  return {
    directory: prepared.directory,
    changed: () => diffOf(run, changes, attempt),
    merge: async (message, looked) => {
      // Agents tick nothing: the plan is written in the workspace, by this program.
      if (restoreFile(run, merged, prepared.directory, plan))
        run.journal.add({
          type: 'said',
          by: 'program',
          text: `The phase changed ${safe(plan)}, but that change was discarded: only you and this program may tick boxes.`,
        });
      good(await changes.snapshot(attempt, 'after'));
      const [violation] = violationsIn(
        run.guidance,
        await changedPaths(changes, attempt),
        prepared.directory,
      );
      if (violation !== undefined) return violation.sentence;
      const { repositories } = good(await changes.commit(attempt, message));
      if (repositories.length > 0)
        return `the merge would leave out the files of the git repository in ${repositories.join(', ')}`;
      const secret = await secretsIn(changes, attempt);
      if (secret !== null && secret !== looked) return secret;
      // The person looked at this very change of git's configuration.
      if (refused !== null && looked === refused.reason)
        good(await changes.acceptConfiguration(refused.state));
      const result = await changes.merge(attempt);
      refused =
        result.kind === 'refused' && result.unaccepted !== undefined
          ? { reason: result.reason, state: result.unaccepted }
          : null;
      if (result.kind === 'refused') return result.reason;
      if (result.kind === 'conflict')
        return `it conflicts in ${result.conflict.files.map(({ path }) => path).join(', ')}`;
      const teardown = async (place: Parameters<BeforeRemoval>[0]): Promise<void> => {
        const failed = await runInWorktree(run, 'teardown', place);
        if (failed !== null)
          run.journal.add({ type: 'said', by: 'program', text: safe(`worktree.teardown failed: ${failed}`) });
      };
      good(await changes.clean(attempt, teardown));
      return null;
    },
  };
};

const inWorkspace = ({ workspace }: SkillRun): PhasePlace => ({
  directory: workspace,
  changed: async () => null,
  merge: async () => null,
});

/** The attempt that is under way, or the next one when earlier ones are merged: a phase that was opened again. */
const attemptOf = async (changes: SessionChanges, task: string): Promise<Attempt> => {
  const before = good(await changes.attempts()).filter((each) => each.task === task);
  const open = before.findLast(({ state, directory }) => directory !== null && state !== 'merged');
  return { task, attempt: open?.attempt ?? Math.max(0, ...before.map(({ attempt }) => attempt)) + 1 };
};

/** What the phase changed, relative to the repository, with the earlier names of files. */
const changedPaths = async (changes: SessionChanges, attempt: Attempt): Promise<readonly string[]> => {
  const ranges = good(await changes.ranges({ of: 'attempt', ...attempt }));
  const paths: string[] = [];
  for (const range of ranges)
    for (const { path, from } of good(await changes.changedFiles(range)))
      paths.push(path, ...(from === null ? [] : [from]));
  return paths;
};

/** Lines of a difference that a conversation shows. */
const mostLines = 300;

const diffOf = async (run: SkillRun, changes: SessionChanges, attempt: Attempt): Promise<string | null> => {
  const ranges = good(await changes.ranges({ of: 'attempt', ...attempt }));
  const parts: string[] = [];
  for (const range of ranges) parts.push(new TextDecoder().decode(good(await changes.patch(range))));
  const lines = run.world.redact(parts.join('')).trimEnd().split('\n');
  if (lines.join('') === '') return 'Nothing has changed yet.';
  const rest = lines.length - mostLines;
  return [...lines.slice(0, mostLines), ...(rest > 0 ? [`… and ${count(rest, 'more line')}`] : [])].join(
    '\n',
  );
};
