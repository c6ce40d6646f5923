import { formatFault } from '../../base/fault.ts';
import type { ChangesPort, Orphan } from '../../changes/port.ts';
import { sessionPaths } from '../../session/paths.ts';
import { readSessions } from '../../session/session-list.ts';
import { isComplete } from '../../session/status.ts';
import { storedTalks } from '../../skills/talk/talk-journal.ts';
import { count } from '../../words/local-time.ts';
import type { Cli } from '../cli.ts';
import { findWorkspace } from '../session/find-workspace.ts';
import { hostOf } from '../session/open-session.ts';
import { wireChanges } from '../wire-changes.ts';
import { createWorld, type World } from '../world.ts';
import type { Finding } from './finding.ts';

/** Looks for worktrees, branches and snapshots of sessions that are gone. `clear` removes them, and worktrees of sessions that have ended; unsaved work is kept in a private ref. */
export const checkWorktrees = async (cli: Cli, clear: boolean): Promise<readonly Finding[]> => {
  const world = createWorld();
  const workspace = findWorkspace(cli.cwd);
  const changes = wireChanges(cli.env, world);
  const examined = await changes.examine(workspace);
  if (!examined.worktrees.ok)
    return [{ check: 'worktrees', ok: true, found: examined.worktrees.reason, problem: null, hint: null }];
  const found = await orphansIn(changes, world, workspace);
  if (typeof found === 'string') return [wrong(found, null)];
  const ended = await ofEnded(changes, world, workspace);
  if (clear && found.length + ended.length > 0)
    return clearAll(changes, world, workspace, [...found, ...ended]);
  if (found.length === 0)
    return [
      {
        check: 'worktrees',
        ok: true,
        found: await inUse(changes, workspace, ended),
        problem: null,
        hint: null,
      },
    ];
  return found.map(({ sentence }) => wrong(sentence, '`ralph-tui doctor --clear` removes it'));
};

/** Says what is there besides: worktrees of sessions that still have their directory, such as those of failed attempts. */
const inUse = async (changes: ChangesPort, workspace: string, ended: readonly Orphan[]): Promise<string> => {
  const all = await changes.findOrphans(workspace, []);
  const trees = all.ok ? all.value.filter(({ kind }) => kind === 'worktree') : [];
  if (trees.length === 0) return 'none';
  const sessions = new Set(trees.map(({ session }) => session)).size;
  const over = ended.filter(({ kind }) => kind === 'worktree').length;
  const removable =
    over === 0
      ? ''
      : `; ${over} ${over === 1 ? 'belongs to an ended session' : 'belong to ended sessions'}: \`ralph-tui doctor --clear\` removes ${over === 1 ? 'it' : 'them'}`;
  return `${count(trees.length, 'worktree')} of ${count(sessions, 'session')}; none is left over from a deleted session${removable}`;
};

/** What ended sessions keep: worktrees of failed attempts, and the session's own when its end was cut off. Their snapshots stay, for undo and retry. */
const ofEnded = async (changes: ChangesPort, world: World, workspace: string): Promise<readonly Orphan[]> => {
  const sessions = readSessions(world.disk, workspace).value;
  const ended = sessions
    .filter(
      (each) => isComplete(each) && hostOf(world, sessionPaths(workspace, each.session))?.alive !== true,
    )
    .map(({ session }) => session);
  const open = sessions.map(({ session }) => session).filter((session) => !ended.includes(session));
  const found = await changes.findOrphans(workspace, [...open, ...conversations(world, workspace)]);
  return found.ok
    ? found.value.filter(({ kind, session }) => kind !== 'refs' && ended.includes(session))
    : [];
};

/** A session whose directory is there may still need what it left. */
const orphansIn = async (
  changes: ChangesPort,
  world: World,
  workspace: string,
): Promise<readonly Orphan[] | string> => {
  const known = readSessions(world.disk, workspace).value.map(({ session }) => session);
  const found = await changes.findOrphans(workspace, [...known, ...conversations(world, workspace)]);
  return found.ok ? found.value : formatFault(found.fault);
};

/** Conversations that carry a plan out keep its worktrees until they end. */
const conversations = (world: World, workspace: string): readonly string[] =>
  storedTalks({ ...world, workspace }).flatMap(({ id, talk, pid }) =>
    pid === null && talk.ended === 'done' ? [] : [id],
  );

/** One after another, and again: the branch of a worktree is free only when that is gone. */
const clearAll = async (
  changes: ChangesPort,
  world: World,
  workspace: string,
  orphans: readonly Orphan[],
): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const orphan of orphans) findings.push(await cleared(changes, workspace, orphan));
  if (findings.some(({ ok }) => !ok)) return findings;
  const gone = await orphansIn(changes, world, workspace);
  if (typeof gone === 'string') return [...findings, wrong(gone, null)];
  const left = [...gone, ...(await ofEnded(changes, world, workspace))];
  const again = left.find(({ name }) => orphans.some((orphan) => orphan.name === name));
  if (again) return [...findings, wrong(again.sentence, 'remove it by hand')];
  return left.length === 0 ? findings : [...findings, ...(await clearAll(changes, world, workspace, left))];
};

const cleared = async (changes: ChangesPort, workspace: string, orphan: Orphan): Promise<Finding> => {
  const result = await changes.clearOrphan(workspace, orphan);
  if (!result.ok) return wrong(orphan.name, formatFault(result.fault));
  const kept = result.value.keptIn === null ? '' : `; its unsaved work is kept in ${result.value.keptIn}`;
  return { check: 'worktrees', ok: true, found: `removed ${orphan.name}${kept}`, problem: null, hint: null };
};

const wrong = (problem: string, hint: string | null): Finding => ({
  check: 'worktrees',
  ok: false,
  found: 'left over',
  problem,
  hint,
});
