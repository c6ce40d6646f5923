import { join } from 'node:path';
import type { Backend, Brief, InvocationId, RoleEnd } from '../../agents/port.ts';
import { forbiddenPath, hasEnforced, type Violation } from '../../session/guidance/guards.ts';
import { type Guidance, itemText } from '../../session/guidance/guidance.ts';
import type { Core } from '../core.ts';
import { type FileMark, markOf, walk } from '../turns/workspace-marks.ts';

/** Checks forbidden files around the work of agents with a model, whatever the agents report (discovery.md, "Guidance at work"). */
export interface ForbiddenGuard {
  /** Runs `work`. Adds forbidden files that changed meanwhile to the outcome of an Executor that worked alone, which fails its attempt. */
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

  const look = (guidance: Guidance, before?: Marks): Marks =>
    new Map(
      walk(disk, paths.workspace)
        .filter((path) => forbiddenPath(guidance, path, paths.workspace) !== null)
        .flatMap((path) => {
          const mark = markOf(disk, join(paths.workspace, path), before?.get(path));
          return mark === null ? [] : [[path, mark] as const];
        }),
    );

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
      try {
        const end = await work();
        const after = look(guidance, before);
        const changed = differing(before, after);
        if (changed.length === 0) return end;
        if (others.size === 0 && end.kind === 'outcome' && end.outcome.role === 'Executor')
          return {
            ...end,
            outcome: { ...end.outcome, files_modified: united(end.outcome.files_modified, changed) },
          };
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
