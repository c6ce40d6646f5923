import { hostname } from 'node:os';
import type { Holder } from '../../issues/issue.ts';
import type { Liveness } from '../../issues/lock.ts';
import { sessionIdPattern, sessionPaths } from '../../session/paths.ts';
import { isDead } from '../session/host-life.ts';
import { hostOf } from '../session/open-session.ts';
import type { World } from '../world.ts';

/** A session of this machine without a host is dead. Of other machines nothing is known. */
export const livenessOf = (world: World, { machine, workspace, session }: Holder): Liveness => {
  if (machine !== hostname()) return 'remote';
  if (!sessionIdPattern.test(session)) return 'dead';
  return isDead(hostOf(world, sessionPaths(workspace, session))) ? 'dead' : 'alive';
};
