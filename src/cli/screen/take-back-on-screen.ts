import { relative } from 'node:path';
import type { Intent } from '../../../components/ports/intent.ts';
import { formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import type { Event } from '../../pipeline/event.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { count } from '../../words/local-time.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';

interface Place {
  readonly env: Cli['env'];
  readonly world: World;
  readonly paths: SessionPaths;
  readonly state: SessionState | null;
}

/** Takes a task's changes back, or brings them again. Returns what was done; throws the reason why nothing was. */
export const turnOnScreen = async (
  { env, world, paths, state }: Place,
  { way, task, attempt }: Extract<Intent, { readonly type: 'take-back' }>,
  tell: (event: Event) => void,
): Promise<string> => {
  if (state === null) throw new Error('there is no session');
  const { findWork, takeBack } = await import('../session/changes/take-back.ts');
  const { sealIfWhole } = await import('../trust/sealed-journal.ts');
  const { hasWorkOfRunners, wireChanges } = await import('../wire-changes.ts');
  const place = {
    port: wireChanges(env, world, { hasRunners: hasWorkOfRunners(state) }),
    world,
    paths,
    state,
    seal: () => sealIfWhole(env, world, paths),
  };
  const work = await findWork(way, place, { task, attempt });
  if (!work.ok) throw new Error(formatFault(work.fault));
  const done = await takeBack(way, place, work.value);
  if (!done.ok) throw new Error(formatFault(done.fault));
  const { files, patch, events } = done.value;
  for (const event of events) tell(event);
  const what = `${way === 'undo' ? 'undone' : 'brought back'}: ${safe(task)}, ${count(files.length, 'file')}`;
  return patch === null
    ? what
    : `${what} · patch saved as ${safe(relative(paths.workspace, patch))} · {changes.undo} brings it back`;
};
