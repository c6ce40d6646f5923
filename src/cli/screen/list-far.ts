import type { SessionChoice } from '../../../components/start/start-list.ts';
import { formatFault, toFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { formatAgo } from '../../words/local-time.ts';
import { acceptedSettings } from '../runners/accepted-settings.ts';
import { type FarSession, farSessions } from '../runners/far-sessions.ts';
import { machinesOf } from '../runners/machine.ts';
import { rowWords } from '../session/list-sessions.ts';
import type { ScreenSessions } from './screen-sessions.ts';
import type { ShownSession } from './shown-session.ts';

/** Adds the sessions of every machine of the configuration to the open picker, each machine when it answers. One that is not reached is a notice. */
export const listFar = async ({ cli, world }: ScreenSessions, from: ShownSession): Promise<void> => {
  const shown = from.far === undefined ? null : from.far;
  const tell = (error: unknown): void => {
    const text = safe(formatFault(toFault(error)));
    from.store.act({ type: 'noticed', notice: { text, tone: 'bad' } });
  };
  try {
    const machines = machinesOf(acceptedSettings(cli, world));
    const asked = machines.map(async (machine) => {
      const rows = await farSessions(cli, world, machine);
      const now = { ms: world.clock.now(), offset: 0 };
      const choices = rows.map((row) => ({
        ...choiceOf(row),
        ago: formatAgo(new Date(now.ms - row.age_s * 1_000).toISOString(), now),
        shown: shown?.machine.name === machine.name && shown.session.session_id === row.session_id,
      }));
      from.store.act({ type: 'sessions-found', rows: choices });
    });
    await Promise.all(asked.map((each) => each.catch(tell)));
  } catch (error) {
    tell(error);
  }
};

const choiceOf = (row: FarSession): Omit<SessionChoice, 'ago' | 'shown'> => ({
  workspace: row.workspace,
  session: `${row.runner}:${row.session_id}`,
  status: safe(rowWords(row)),
  progress: safe(row.progress),
  goal: safe(row.goal ?? ''),
  pid: row.host?.alive ? row.host.pid : null,
});
