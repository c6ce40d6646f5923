import { type Fault, toFault } from '../../base/fault.ts';
import { sessionPaths } from '../../session/paths.ts';
import type { Peer } from '../link/peer.io.ts';
import type { Late } from '../wire/late.ts';
import { toRunner } from '../wire/to-runner.ts';
import { fetchBundle, type MovePorts } from './move-commits.ts';

/** Late work that is now kept here. */
export interface Collected {
  readonly invocation: string;
  readonly task?: string;
  readonly attempt?: number;
  readonly ref: string;
}

/** A session, and the process that asks about it, when it runs the session. */
interface Asking {
  readonly session: string;
  readonly workspace: string;
  readonly host?: string;
}

/** What a runner has of a session. It stops first what earlier processes of the session had begun there. */
export const askLate = async (peer: Peer, { session, workspace, host }: Asking): Promise<readonly Late[]> => {
  const { directory: sessionDirectory } = sessionPaths(workspace, session);
  const running = host === undefined ? {} : { running: { host, sessionDirectory } };
  return (await peer.request(toRunner.late, { session, ...running })).late;
};

/**
 * Takes over what a runner finished or stopped while this session was away, under `refs/ralph/late`. Nothing of it is merged. What cannot be brought stays
 * there, and `odd` hears why.
 */
export const collectLate = async (
  ports: MovePorts,
  peer: Peer,
  asking: Asking,
  odd: (fault: Fault) => void,
): Promise<readonly Collected[]> => {
  const { copy } = ports;
  const { session, workspace } = asking;
  const late = await askLate(peer, asking);
  if (late.length === 0) return [];
  const place = await copy.locate(workspace);
  const collected: Collected[] = [];
  const collect = async ({ invocation, base, commit, task, attempt }: Late): Promise<void> => {
    const name = `${session}/${invocation}`;
    await fetchBundle(ports, place, { name, base, commit }, (offset) =>
      peer.request(toRunner.takeLate, { session, invocation, offset }),
    );
    const ref = await copy.keepLate(place, name, commit);
    await copy.forget(place, name);
    await peer.request(toRunner.dropLate, { session, invocation });
    collected.push({
      invocation,
      ref,
      ...(task === undefined ? {} : { task }),
      ...(attempt === undefined ? {} : { attempt }),
    });
  };
  for (const each of late) {
    if (each.repository !== place.repository) continue;
    await collect(each).catch((error: unknown) => {
      const { what, ...fault } = toFault(error);
      odd({
        ...fault,
        what: `the late work of ${each.task ?? each.invocation} stays on the runner: ${what}`,
      });
    });
  }
  return collected;
};
