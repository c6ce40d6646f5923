import type { Brief } from '../../agents/port.ts';
import { attemptKey } from '../../pipeline/changes/changes-state.ts';
import type { Invocation } from '../../pipeline/state.ts';
import type { Core } from '../core.ts';
import { isOfModel } from '../is-of-model.ts';
import { keyOf, recorded } from './attempt-record.ts';

/** Which agents could write into the worktree of an attempt while it worked: all others that worked on this machine, outside a sandbox. */
export interface Beside {
  /** An invocation begins, or continues. */
  begin(brief: Brief): void;
  /** Their tasks, or their roles where they have none. */
  of(brief: Brief, attempt?: number): readonly string[];
}

export const createBeside = (core: Core): Beside => {
  const known = new Map<string, Set<string>>();
  return {
    begin: (brief) => begin(core, known, brief),
    of: (brief, attempt) => [...(known.get(keyOf(brief, attempt)) ?? unknown(core))].toSorted(),
  };
};

const begin = (core: Core, known: Map<string, Set<string>>, brief: Brief): void => {
  const { invocations, iteration } = core.loop.state();
  const own = invocations.get(brief.invocation);
  if (own === undefined) return;
  const others = [...invocations.values()].filter(
    ({ id, task, stage }) =>
      id !== own.id && (task === null || task !== own.task) && (stage === 'running' || stage === 'paused'),
  );
  if (own.mode === 'IMPLEMENT') {
    const key = keyOf(brief);
    const before = known.get(key) ?? (recorded(core, brief)?.before ? unknown(core) : []);
    known.set(key, new Set([...before, ...others.filter((other) => writes(core, other)).map(labelOf)]));
  }
  if (!writes(core, own)) return;
  for (const { mode, task, attempt } of others)
    if (mode === 'IMPLEMENT' && task !== null)
      known.get(attemptKey(iteration, task, attempt ?? 1))?.add(labelOf(own));
};

/** An earlier start of the session began the attempt. */
const unknown = ({ options }: Core): readonly string[] =>
  options.backends.some(({ model }) => model !== undefined) ? ['an agent before the restart'] : [];

/** A runner has no worktree of this machine. */
const writes = (core: Core, { id, runner, worker }: Invocation): boolean =>
  runner === null && (worker !== null || isOfModel(core, id));

const labelOf = ({ task, role }: Invocation): string => task ?? `the ${role}`;
