import { join } from 'node:path';
import type { Backend, Brief, InvocationId, RoleEnd } from '../../agents/port.ts';
import type { Disk } from '../../base/disk.ts';
import { forbiddenPath, hasEnforced, type Violation } from '../../session/guidance/guards.ts';
import { type Guidance, itemText } from '../../session/guidance/guidance.ts';
import type { Core } from '../core.ts';
import { type FileMark, markOf, walk } from '../turns/workspace-marks.ts';
import { type ControlFile, readControl } from './control-files.ts';
import type { Guard } from './guard.ts';
import { restoreFile } from './restore-file.ts';

/** Forbidden files by path. */
type Marks = ReadonlyMap<string, FileMark>;

interface State {
  readonly core: Core;
  /** The agents at work, each with those that worked beside it. */
  readonly working: Map<InvocationId, Set<InvocationId>>;
  /** Changes already reported. */
  readonly told: Set<string>;
  readonly copies: Map<string, Copy>;
  /** How many other texts were kept. */
  kept: number;
}

/**
 * Checks forbidden files around the work of agents with a model, whatever the agents report (src/discovery/README.md, "Guidance at work"). Brings back those
 * that an agent changed in the workspace while it worked alone, so that no later attempt or turn ends with them, and adds them to the outcome of an Executor,
 * which fails its attempt. Nothing shows which of several agents at work changed a file: then a problem names all of them, and no attempt fails. The same
 * holds for a role whose outcome names no files.
 */
export const createForbiddenGuard = (core: Core): Guard => {
  const state: State = { core, working: new Map(), told: new Set(), copies: new Map(), kept: 0 };
  const { working } = state;
  return {
    around: async (brief, work) => {
      const { guidance, invocation } = brief;
      if (!brief.model || guidance === undefined || !forbidsPaths(guidance)) return work();
      const others = new Set(working.keys());
      for (const beside of working.values()) beside.add(invocation);
      working.set(invocation, others);
      const before = look(core, guidance);
      keepBytes(state, before);
      try {
        const end = await work();
        const after = look(core, guidance, before);
        return judge(state, brief, end, [...others], before, after);
      } finally {
        working.delete(invocation);
      }
    },
  };
};

/** The forbidden files as they are now. */
const look = ({ options }: Core, guidance: Guidance, before?: Marks): Marks => {
  const { disk, paths } = options;
  return new Map(
    walk(disk, paths.workspace)
      .filter((path) => forbiddenPath(guidance, path, paths.workspace) !== null)
      .flatMap((path) => {
        const mark = markOf(disk, join(paths.workspace, path), before?.get(path));
        return mark === null ? [] : [[path, mark] as const];
      }),
  );
};

/** Follows the bytes of these files. Those beyond the limit are known by their mark alone. */
const keepBytes = ({ core, copies }: State, marks: Marks): void => {
  const { disk, paths } = core.options;
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

/** What becomes of the end of the work, after the files were looked at again. `others`: the agents that worked beside it. */
const judge = (
  state: State,
  { invocation, isolated }: Brief,
  end: RoleEnd,
  others: readonly InvocationId[],
  before: Marks,
  after: Marks,
): RoleEnd => {
  const changed = differing(before, after);
  if (changed.length === 0) return end;
  // A task in a worktree cannot have changed the workspace by its work: a person may have.
  const isAlone = others.length === 0;
  const isBack = isAlone && !isolated;
  if (isBack) bringBack(state, changed, before, invocation);
  if (isAlone && end.kind === 'outcome' && end.outcome.role === 'Executor') {
    const files_modified = united(end.outcome.files_modified, changed);
    return { ...end, outcome: { ...end.outcome, files_modified } };
  }
  if (isBack) return end;
  const { loop, options } = state.core;
  const violations = changed.flatMap((path) => {
    const found = forbiddenPath(loop.state().guidance, path, options.paths.workspace);
    return found === null ? [] : [[found, after.get(path)?.hash ?? 'gone'] as const];
  });
  report(state, [...others, invocation].toSorted(), violations);
  return end;
};

const bringBack = (state: State, changed: readonly string[], before: Marks, who: InvocationId): void => {
  const { core, copies } = state;
  const { disk, paths } = core.options;
  if (!core.loop.isOpen()) return;
  core.loop.run(() => {
    for (const [index, path] of changed.entries()) {
      const place = join(paths.workspace, path);
      const change = {
        path: place,
        before: before.has(path) ? (copies.get(path)?.file ?? null) : null,
        after: disk.lstat(place) === null ? null : copyOf(disk, place, 'changed', true),
      };
      state.kept += 1;
      const fault = restoreFile(core, 'forbidden-file', change, who, state.kept);
      if (index < mostTold) core.problem(fault);
    }
  });
};

/** Reports each change once, with all agents that may have made it. */
const report = (
  { core, told }: State,
  who: readonly InvocationId[],
  violations: readonly (readonly [Violation, string])[],
): void => {
  const news = violations.filter(([{ subject }, hash]) => !told.has(`${subject} ${hash}`));
  for (const [{ subject }, hash] of news) told.add(`${subject} ${hash}`);
  if (news.length === 0 || !core.loop.isOpen()) return;
  const more = news.length > 1 ? ` and ${news.length - 1} more` : '';
  core.loop.run(() =>
    core.problem({
      code: 'forbidden-change',
      what: `${news[0]?.[0].subject}${more} changed while ${who.join(', ')} worked, but your guidance forbids ${news[0]?.[0].item}`,
      hint: 'review the diff; no attempt was marked as failed, because it is unclear who made the change',
    }),
  );
};

interface Copy {
  readonly stamp: string;
  readonly file: ControlFile;
}

/** Bytes that are kept of all forbidden files. */
const mostCopied = 67_108_864;

/** Files that are named one by one. */
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
      what: `${items.join(', ')}: not enforced for ${name}, which does not ask for permission`,
      hint: 'forbidden files are checked after its work, but commands are not; an agent that speaks ACP is held to both',
    }),
  );
};
