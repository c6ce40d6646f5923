import type { Engine } from '../../../engine/engine.ts';
import { createEventRecords } from '../../../observability/debug/from-events.ts';
import type { SessionPaths } from '../../../session/paths.ts';
import type { Settings } from '../../../session/settings.ts';
import type { Cli } from '../../cli.ts';
import { openDebug } from '../../session/debug/open-debug-log.ts';
import type { World } from '../../world.ts';

/** Follows the engine into a debug log, if one is wanted. Its faults are reported after the end: until then the terminal may be a screen. */
export const logForDebugging = (
  cli: Cli,
  world: World,
  { paths, settings }: { readonly paths: SessionPaths; readonly settings: Settings },
  engine: Pick<Engine, 'subscribe' | 'settled'>,
): void => {
  const sentences: string[] = [];
  const log = openDebug(cli, world, {
    workspace: paths.workspace,
    settings,
    session: paths.session,
    tell: (sentence) => void sentences.push(sentence),
  });
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
};
