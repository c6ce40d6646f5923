import { scanJournal } from '../../observability/journal-file.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { withSet } from '../../session/settings/live-settings.ts';
import type { Settings } from '../../session/settings.ts';
import type { World } from '../world.ts';

/**
 * The configuration of now with the journaled SET changes (`+`, `-`) on top. A person who added a fourth
 * executor still means four after a resume.
 */
export const settingsOverResume = (world: World, paths: SessionPaths, read: Settings): Settings => {
  let settings = read;
  scanJournal(world.disk, paths.journal, 0, (events) => {
    for (const event of events) {
      if (event.type === 'settings.changed') settings = withSet(settings, event.set);
    }
  });
  return settings;
};
