import { join } from 'node:path';
import { printedCommand } from '../../../base/process/printed-command.ts';
import type { ChangesPort, Undone, Work } from '../../../changes/port.ts';
import type { Result } from '../../../changes/result.ts';
import { plainName, turnWork, type Wanted, workOf } from '../../../engine/changes/turn-work.ts';
import { openJournal, scanJournal } from '../../../observability/journal-file.ts';
import type { SealPlace } from '../../../observability/journal-seal.ts';
import type { Way } from '../../../pipeline/changes/changes-state.ts';
import type { Event, EventBody } from '../../../pipeline/event.ts';
import type { SessionState } from '../../../pipeline/state.ts';
import { acquireLock, isLock } from '../../../session/lock.ts';
import type { SessionPaths } from '../../../session/paths.ts';
import type { World } from '../../world.ts';

interface Place {
  readonly port: ChangesPort;
  readonly world: Pick<World, 'disk' | 'random' | 'spawn' | 'clock' | 'secrets'>;
  readonly paths: SessionPaths;
  readonly state: SessionState;
  /** Says outside the workspace what this program writes into the journal; `null` where it cannot vouch for it. */
  readonly seal: () => SealPlace | null;
}

/** What was taken back or brought again, and the facts in the journal. */
interface Turned extends Undone {
  readonly events: readonly Event[];
}

/** The work that would be taken back or brought again; a fault that says why there is none. Changes nothing. */
export const findWork = async (
  way: Way,
  { port, paths, state }: Place,
  wanted: Wanted,
): Promise<Result<Work>> => {
  const opened = await port.read(paths.workspace, paths.session);
  return opened.ok ? workOf(way, opened.value, state, wanted) : opened;
};

/** Takes the work back or brings it again, as the only holder of the session. One that was cut off is completed. */
export const takeBack = async (way: Way, place: Place, work: Work): Promise<Result<Turned>> => {
  const { port, world, paths, state } = place;
  const { disk, random, spawn, clock } = world;
  const lock = acquireLock(disk, random, paths, spawn.self, spawn.isAlive, { clock });
  if (!isLock(lock)) {
    const again = printedCommand('ralph-tui', way, plainName(work.task), '--session', paths.session);
    return {
      ok: false,
      fault: { ...lock, hint: `run \`${again}\`, and the running session will do it` },
    };
  }
  const events: Event[] = [];
  const seal = place.seal();
  try {
    const opened = await port.open({
      workspace: paths.workspace,
      session: paths.session,
      isolation: work.files === undefined ? 'worktree' : 'shared',
      copy: [],
      patches: join(paths.directory, 'patches'),
      secrets: world.secrets,
    });
    if (!opened.ok) return opened;
    const write = (body: EventBody): boolean => events.push(record(place, seal, body)) > 0;
    const done = await turnWork(way, opened.value, state, work, write);
    // A session that ended needs its worktree no more: its branch holds what is merged.
    if (state.state === 'COMPLETE') await opened.value.close();
    return done.ok ? { ok: true, value: { ...done.value, events } } : done;
  } finally {
    lock.release();
  }
};

/** Appends a fact to the journal. The lock is ours, so nobody else writes there. */
const record = (
  { world: { disk, clock }, paths: { journal } }: Place,
  seal: SealPlace | null,
  body: EventBody,
): Event => {
  let seq = 0;
  scanJournal(disk, journal, 0, (events) => {
    seq = events.at(-1)?.seq ?? seq;
  });
  const event: Event = { ...body, seq: seq + 1, at: new Date(clock.now()).toISOString() };
  const writer = openJournal(disk, journal, seal === null ? {} : { seal });
  writer.append(event);
  writer.close();
  return event;
};
