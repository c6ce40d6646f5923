import { formatFault } from '../../base/fault.ts';
import type { ChangesPort, Orphan } from '../../changes/port.ts';
import { readSessions } from '../../session/session-list.ts';
import { count } from '../../store/text/local-time.ts';
import type { Cli } from '../cli.ts';
import { findWorkspace } from '../session/find-workspace.ts';
import { wireChanges } from '../wire-changes.ts';
import { createWorld, type World } from '../world.ts';
import type { Finding } from './examine.ts';

/** Looks for worktrees and branches of sessions that are gone. `clear` removes them; unsaved work is kept in a private ref. */
export const checkWorktrees = async (cli: Cli, clear: boolean): Promise<readonly Finding[]> => {
  const world = createWorld();
  const workspace = findWorkspace(cli.cwd);
  const changes = wireChanges(cli.env, world);
  const examined = await changes.examine(workspace);
  if (!examined.worktrees.ok)
    return [{ check: 'worktrees', ok: true, found: examined.worktrees.reason, problem: null, hint: null }];
  const found = await orphansIn(changes, world, workspace);
  if (typeof found === 'string') return [wrong(found, null)];
  if (found.length === 0)
    return [
      { check: 'worktrees', ok: true, found: await inUse(changes, workspace), problem: null, hint: null },
    ];
  return clear
    ? clearAll(changes, world, workspace, found)
    : found.map(({ sentence }) => wrong(sentence, '`ralph-tui doctor --clear` removes it'));
};

/** Says what is there besides: worktrees of sessions that still have their directory, such as those of failed attempts. */
const inUse = async (changes: ChangesPort, workspace: string): Promise<string> => {
  const all = await changes.findOrphans(workspace, []);
  const trees = all.ok ? all.value.filter(({ kind }) => kind === 'worktree') : [];
  if (trees.length === 0) return 'none';
  const sessions = new Set(trees.map(({ session }) => session)).size;
  return `${count(trees.length, 'worktree')} of ${count(sessions, 'session')}; none is left of a session that is gone`;
};

/** A session whose directory is there may still need what it left. */
const orphansIn = async (
  changes: ChangesPort,
  { disk }: World,
  workspace: string,
): Promise<readonly Orphan[] | string> => {
  const known = readSessions(disk, workspace).value.map(({ session }) => session);
  const found = await changes.findOrphans(workspace, known);
  return found.ok ? found.value : formatFault(found.fault);
};

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
  const left = await orphansIn(changes, world, workspace);
  if (typeof left === 'string') return [...findings, wrong(left, null)];
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
