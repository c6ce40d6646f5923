import type { Engine } from '../../../engine/engine.ts';
import type { DebugLog } from '../../../observability/debug/debug-log.ts';
import { createEventRecords } from '../../../observability/debug/from-events.ts';
import type { SessionPaths } from '../../../session/paths.ts';
import type { Settings } from '../../../session/settings.ts';
import type { Cli } from '../../cli.ts';
import { openDebug } from '../../session/debug/open-debug-log.ts';
import type { World } from '../../world.ts';

/** The debug log of a session that this process hosts. */
interface SessionLog {
  /** `null`: none is wanted, or it cannot be written. */
  readonly log: DebugLog | null;
  /** Follows the engine into it. Its faults are reported after the end: until then the terminal may be a screen. */
  readonly follow: (engine: Pick<Engine, 'subscribe' | 'settled'>) => void;
}

/** Opens the debug log of a session, if one is wanted. */
export const openSessionLog = (
  cli: Cli,
  world: World,
  { paths, settings }: { readonly paths: SessionPaths; readonly settings: Settings },
): SessionLog => {
  const sentences: string[] = [];
  const log = openDebug(cli, world, {
    workspace: paths.workspace,
    settings,
    session: paths.session,
    tell: (sentence) => void sentences.push(sentence),
  });
  return {
    log,
    follow: (engine) => {
      if (log !== null) {
        const recordOf = createEventRecords();
        engine.subscribe((event) => {
          const record = recordOf(event);
          if (record !== null) log.add(record);
        });
      }
      if (log !== null || sentences.length > 0)
        void engine.settled().then(() => {
          log?.close();
          for (const sentence of sentences) cli.note(sentence);
        });
    },
  };
};
