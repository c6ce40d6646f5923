import { basename, dirname, join } from 'node:path';
import { realPath } from '../../../agents/real-path.ts';
import { readText, replaceFile } from '../../../base/replace-file.ts';
import { safe } from '../../../base/safe.ts';
import type { SessionChanges } from '../../../changes/port.ts';
import type { Result } from '../../../changes/result.ts';
import { slug } from '../../../issues/documents/document-name.ts';
import { ask } from '../../../session/forms/question.ts';
import { storedTalks } from '../../../skills/talk/talk-journal.ts';
import { failure } from '../../cli.ts';
import { isVouchedTalk } from '../../trust/own-talks.ts';
import { wireChanges } from '../../wire-changes.ts';
import { answerTo } from '../exchange.ts';
import type { SkillRun } from '../skill-run.ts';

/** Where a plan is carried out. */
export interface PlanPlace {
  /** `null`: in the workspace itself, without a branch. */
  readonly changes: SessionChanges | null;
  readonly branch: string | null;
  /** The person's branch when the place was chosen: a pull request goes against that one. */
  readonly on: string | null;
}

/** Opens the place that the person chooses, or chose earlier. `null`: the person left. */
export const openPlace = async (run: SkillRun, path: string): Promise<PlanPlace | null> => {
  const { journal, cli, world, workspace, settings } = run;
  const port = wireChanges(cli.env, world);
  const placed = journal.talk().placed ?? (await choosePlace(run, path, port));
  if (placed === null) return null;
  if (journal.talk().placed === null) journal.add({ type: 'placed', ...placed });
  if (placed.changes === null) return { changes: null, branch: null, on: null };
  const changes = good(
    await port.open({
      workspace,
      session: placed.changes,
      ...(placed.branch === null ? {} : { branch: placed.branch }),
      isolation: 'worktree',
      copy: settings.worktree.copy,
      patches: join(journal.directory, 'patches'),
      secrets: world.secrets,
    }),
  );
  return { changes, branch: changes.worktree?.branch ?? null, on: placed.on };
};

type Placed = NonNullable<ReturnType<SkillRun['journal']['talk']>['placed']>;

const choosePlace = async (
  run: SkillRun,
  path: string,
  port: ReturnType<typeof wireChanges>,
): Promise<Placed | null> => {
  const { journal, workspace, settings } = run;
  const here: Placed = { changes: null, branch: null, on: null };
  const { worktrees, notes, repository } = await port.examine(workspace);
  if (!worktrees.ok) {
    const text = `The work takes place here, without a branch: ${worktrees.reason}`;
    journal.add({ type: 'said', by: 'program', text });
    return here;
  }
  if (settings.isolation === 'shared') return here;
  const own: Placed = {
    changes: `${journal.id}+plan`,
    branch: `ralph/${slug(basename(path, '.md').replace(/^\d{4}-\d\d-\d\d-/, '')) || journal.id}`,
    on: repository?.branch ?? null,
  };
  const earlier = earlierPlace(run, path);
  const question = ask(
    `place-${journal.talk().turns.length}`,
    'choice',
    'Where should the plan be carried out?',
    {
      help: notes.map(({ sentence }) => sentence).join('\n'),
      offered: earlier === null ? 'own' : 'earlier',
      options: [
        ...(earlier === null
          ? []
          : [
              {
                id: 'earlier',
                label: `on ${safe(earlier.branch ?? '')}, where this plan was started`,
                detail: '',
              },
            ]),
        { id: 'own', label: 'in a worktree', detail: `on its own branch, ${own.branch}` },
        { id: 'here', label: 'here', detail: 'in your own files, without a branch' },
      ],
    },
  );
  const answer = await answerTo(run, question);
  if (answer === null) return null;
  return answer === 'own' ? own : answer === 'here' ? here : (earlier ?? own);
};

/** Where another conversation left this plan unfinished. Its journal can be written by others: it counts as this program left it. */
const earlierPlace = ({ cli, world, workspace, journal }: SkillRun, path: string): Placed | null =>
  storedTalks({ ...world, workspace }).findLast(
    (other) =>
      other.id !== journal.id &&
      other.pid === null &&
      other.talk.ended !== 'done' &&
      other.talk.about?.path === path &&
      other.talk.placed !== null &&
      isVouchedTalk(cli.env, world, workspace, other),
  )?.talk.placed ?? null;

/**
 * Brings a file of a worktree back to what is merged. `true`: it had been changed. Behind a folder that is a link now there is no file of the worktree:
 * the link itself is what the work changed.
 */
export const restoreFile = (
  { world }: SkillRun,
  merged: string,
  directory: string,
  path: string,
): boolean => {
  const file = join(directory, path);
  const folder = realPath(world.disk, dirname(file));
  if (folder !== dirname(join(realPath(world.disk, directory) ?? directory, path))) return false;
  const before = textAt(world, join(merged, path));
  if (textAt(world, file) === before) return false;
  if (before === null || before === undefined) world.disk.unlink(file);
  else replaceFile(world.disk, world.random, file, before);
  return true;
};

/** `null`: there is none. `undefined`: it is no file. */
const textAt = ({ disk }: SkillRun['world'], place: string): string | null | undefined => {
  const stat = disk.lstat(place);
  if (stat === null) return null;
  return stat.kind === 'file' ? readText(disk, place) : undefined;
};

export const good = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw failure(result.fault);
};
