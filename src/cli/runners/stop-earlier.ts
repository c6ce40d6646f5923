import { type Fault, toFault } from '../../base/fault.ts';
import { askLate } from '../../runners/remote/collect-late.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { silent } from './runner-news.ts';
import { wireRunners } from './wire-runners.ts';

/**
 * Stops what killed processes of a session left at work on runners: later nothing may connect with these, as after an ABORT. Only the process that has the
 * session's lock may call it. Returns why it is not certain that something has stopped.
 */
export const stopEarlier =
  (
    cli: Pick<Cli, 'env' | 'cwd'>,
    world: World,
    settings: Parameters<typeof wireRunners>[2],
    { session, workspace }: Pick<SessionPaths, 'session' | 'workspace'>,
  ) =>
  async (names: readonly string[]): Promise<readonly Fault[]> => {
    const runners = wireRunners(cli, world, settings, { ...silent, session: { session, workspace } });
    const host = world.random.hex(16);
    const stop = async (name: string): Promise<readonly Fault[]> => {
      try {
        for (const runner of await runners.earlier(name))
          await askLate(await runner.ready(), { session, workspace, host });
        return [];
      } catch (error) {
        const { what, ...fault } = toFault(error, `runner ${name}`);
        return [{ ...fault, what: `agents from an earlier start may still be working there: ${what}` }];
      }
    };
    // A fence and a container end with their host.
    const outlives = (name: string): boolean => {
      const entry = Object.hasOwn(settings.runners, name) ? settings.runners[name] : undefined;
      return entry === undefined || 'ssh' in entry || 'pool' in entry;
    };
    try {
      return (await Promise.all(names.filter(outlives).map(stop))).flat();
    } finally {
      runners.close();
    }
  };
