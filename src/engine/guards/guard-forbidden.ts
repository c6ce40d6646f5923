import { join } from 'node:path';
import type { Backend, Brief, InvocationId, RoleEnd } from '../../agents/port.ts';
import type { Disk } from '../../base/disk.ts';
import { forbiddenPath, hasEnforced, type Violation } from '../../session/guidance/guards.ts';
import { type Guidance, itemText } from '../../session/guidance/guidance.ts';
import type { Core } from '../core.ts';
import { type FileMark, markOf, walk } from '../turns/workspace-marks.ts';
import { type ControlFile, readControl } from './control-files.ts';
import { restoreFile } from './restore-file.ts';

/** Checks forbidden files around the work of agents with a model, whatever the agents report (src/discovery/README.md, "Guidance at work"). */
export interface ForbiddenGuard {
  /**
   * Runs `work`. Brings back forbidden files that an agent changed in the workspace while it worked alone, so that no later attempt or turn ends
   * with them. Adds them to the outcome of an Executor, which fails its attempt.
   */
  around(brief: Brief, work: () => Promise<RoleEnd>): Promise<RoleEnd>;
}

/** Forbidden files by path. */
type Marks = ReadonlyMap<string, FileMark>;

/**
 * Nothing shows which of several agents at work changed a file: then a problem names all of them, and no attempt fails. The same holds for a
 * role whose outcome names no files.
 */
export const createForbiddenGuard = (core: Core): ForbiddenGuard => {
  const { disk, paths } = core.options;
  /** The agents at work, each with those that worked beside it. */
  const working = new Map<InvocationId, Set<InvocationId>>();
  /** Changes already reported. */
  const told = new Set<string>();
  const copies = new Map<string, Copy>();
  let kept = 0;

  const look = (guidance: Guidance, before?: Marks): Marks =>
    new Map(
      walk(disk, paths.workspace)
        .filter((path) => forbiddenPath(guidance, path, paths.workspace) !== null)
        .flatMap((path) => {
          const mark = markOf(disk, join(paths.workspace, path), before?.get(path));
          return mark === null ? [] : [[path, mark] as const];
        }),
    );

  /** Follows the bytes of these files. Those beyond the limit are known by their mark alone. */
  const copy = (marks: Marks): void => {
    for (const path of copies.keys()) if (!marks.has(path)) copies.delete(path);
    let size = 0;
    for (const [path, { stamp }] of marks) {
      const known = copies.get(path);
      const place = join(paths.workspace, path);
      const file = known?.stamp === stamp ? known.file : copyOf(disk, place, stamp, size < mostCopied);
      if (file.kind === 'file') size += file.bytes.length;
      copies.set(path, { stamp, file });
    }
  };

  const bringBack = (changed: readonly string[], before: Marks, who: InvocationId): void => {
    if (!core.loop.isOpen()) return;
    core.loop.run(() => {
      for (const [index, path] of changed.entries()) {
        const place = join(paths.workspace, path);
        const change = {
          path: place,
          before: before.has(path) ? (copies.get(path)?.file ?? null) : null,
          after: disk.lstat(place) === null ? null : copyOf(disk, place, 'changed', true),
        };
        const isTold = index < mostTold;
        if (isTold) kept += 1;
        const fault = restoreFile(core, 'forbidden-file', change, who, isTold ? kept : 0);
        if (isTold) core.problem(fault);
      }
    });
  };

  const report = (
    who: readonly InvocationId[],
    violations: readonly (readonly [Violation, string])[],
  ): void => {
    const news = violations.filter(([{ subject }, hash]) => !told.has(`${subject} ${hash}`));
    for (const [{ subject }, hash] of news) told.add(`${subject} ${hash}`);
    if (news.length === 0 || !core.loop.isOpen()) return;
    const more = news.length > 1 ? `, and ${news.length - 1} more` : '';
    core.loop.run(() =>
      core.problem({
        code: 'forbidden-change',
        what: `${news[0]?.[0].subject}${more} changed while ${who.join(', ')} worked, and the person's guidance forbids ${news[0]?.[0].item}`,
        hint: 'look at the difference; no attempt failed for it, because nothing shows who changed it',
      }),
    );
  };

  return {
    around: async (brief, work) => {
      const { guidance, invocation } = brief;
      if (!brief.model || guidance === undefined || !forbidsPaths(guidance)) return work();
      const others = new Set(working.keys());
      for (const beside of working.values()) beside.add(invocation);
      working.set(invocation, others);
      const before = look(guidance);
      copy(before);
      try {
        const end = await work();
        const after = look(guidance, before);
        const changed = differing(before, after);
        if (changed.length === 0) return end;
        // A task in a worktree cannot have changed the workspace by its work: a person may have.
        const isAlone = others.size === 0;
        const isBack = isAlone && !brief.isolated;
        if (isBack) bringBack(changed, before, invocation);
        if (isAlone && end.kind === 'outcome' && end.outcome.role === 'Executor')
          return {
            ...end,
            outcome: { ...end.outcome, files_modified: united(end.outcome.files_modified, changed) },
          };
        if (isBack) return end;
        const violations = changed.flatMap((path) => {
          const found = forbiddenPath(core.loop.state().guidance, path, paths.workspace);
          return found === null ? [] : [[found, after.get(path)?.hash ?? 'gone'] as const];
        });
        report([...others, invocation].toSorted(), violations);
        return end;
      } finally {
        working.delete(invocation);
      }
    },
  };
};

interface Copy {
  readonly stamp: string;
  readonly file: ControlFile;
}

/** Bytes that are kept of all forbidden files. */
const mostCopied = 67_108_864;

/** Files that are named one by one, with their other text kept. */
const mostTold = 20;

const copyOf = (disk: Disk, path: string, mark: string, isRead: boolean): ControlFile =>
  isRead ? readControl(disk, path, disk.lstat(path)?.mode ?? 0o644, mark) : { kind: 'opaque', mark };

const forbidsPaths = ({ forbidden }: Guidance): boolean =>
  forbidden.some((item) => typeof item !== 'string' && 'path' in item);

const united = (said: readonly string[], seen: readonly string[]): readonly string[] => [
  ...new Set([...said, ...seen]),
];

const differing = (before: Marks, after: Marks): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path)?.hash !== after.get(path)?.hash)
    .toSorted();

/** Says once for each agent that asks for no permission what of the guidance nobody can hold it to. */
export const tellUnenforced = (core: Core, { guidance }: Brief, { name, model }: Backend): void => {
  if (guidance === undefined || !model || model.asks || !hasEnforced(guidance) || !core.loop.isOpen()) return;
  const items = guidance.forbidden.filter((item) => typeof item !== 'string').map(itemText);
  core.loop.run(() =>
    core.problem({
      code: 'not-enforced',
      what: `${items.join(', ')}: not enforced for ${name}, which asks for no permission`,
      hint: 'forbidden files are checked after its work, commands are not; an agent that speaks ACP is held to both',
    }),
  );
};
