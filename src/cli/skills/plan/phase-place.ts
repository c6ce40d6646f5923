import { safe } from '../../../base/safe.ts';
import type { Attempt, SessionChanges } from '../../../changes/port.ts';
import { failure } from '../../cli.ts';
import type { SkillRun } from '../skill-run.ts';
import { good, restoreFile } from './plan-place.ts';
import { setUpWorktree } from './run-checks.ts';

/** Where one phase is worked on. */
export interface PhasePlace {
  /** Absolute. */
  readonly directory: string;
  /** Text of what the phase changed so far; `null` where nothing records it. */
  readonly changed: () => Promise<string | null>;
  /** Commits the phase and merges it onto the branch of the plan. Returns why that was refused, or `null`. */
  readonly merge: (message: string) => Promise<string | null>;
  /** The person looked at a changed configuration of git. */
  readonly acceptConfiguration: () => Promise<void>;
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
    const failed = await setUpWorktree(run, prepared.directory);
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
  return {
    directory: prepared.directory,
    changed: () => diffOf(run, changes, attempt),
    merge: async (message) => {
      // Agents tick nothing: the plan is written in the workspace, by this program.
      if (restoreFile(run, merged, prepared.directory, plan))
        run.journal.add({
          type: 'said',
          by: 'program',
          text: `The phase changed ${safe(plan)}, and that is left out: only you and this program tick boxes.`,
        });
      good(await changes.snapshot(attempt, 'after'));
      good(await changes.commit(attempt, message));
      const result = await changes.merge(attempt);
      if (result.kind === 'refused') return result.reason;
      if (result.kind === 'conflict')
        return `it conflicts in ${result.conflict.files.map(({ path }) => path).join(', ')}`;
      good(await changes.clean(attempt));
      return null;
    },
    acceptConfiguration: async () => {
      good(await changes.acceptConfiguration());
    },
  };
};

const inWorkspace = ({ workspace }: SkillRun): PhasePlace => ({
  directory: workspace,
  changed: async () => null,
  merge: async () => null,
  acceptConfiguration: async () => {},
});

/** The attempt that is under way, or the next one when earlier ones are merged: a phase that was opened again. */
const attemptOf = async (changes: SessionChanges, task: string): Promise<Attempt> => {
  const before = good(await changes.attempts()).filter((each) => each.task === task);
  const open = before.findLast(({ state, directory }) => directory !== null && state !== 'merged');
  return { task, attempt: open?.attempt ?? Math.max(0, ...before.map(({ attempt }) => attempt)) + 1 };
};

/** Lines of a difference that a conversation shows. */
const mostLines = 300;

const diffOf = async (run: SkillRun, changes: SessionChanges, attempt: Attempt): Promise<string | null> => {
  const ranges = good(await changes.ranges({ of: 'attempt', ...attempt }));
  const parts: string[] = [];
  for (const range of ranges) parts.push(new TextDecoder().decode(good(await changes.patch(range))));
  const lines = run.world.redact(parts.join('')).trimEnd().split('\n');
  if (lines.join('') === '') return 'Nothing was changed yet.';
  const rest = lines.length - mostLines;
  return [...lines.slice(0, mostLines), ...(rest > 0 ? [`… and ${rest} more lines`] : [])].join('\n');
};
