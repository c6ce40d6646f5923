import { scanJournal } from '../observability/journal-file.ts';
import { setSetting } from '../session/partial-settings.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { Settings } from '../session/settings.ts';
import type { World } from './world.ts';

/**
 * The configuration as it is read now, with what SET signals (`+`, `-`) changed while the session ran: who gave it a fourth executor and left it
 * running, or resumes it tomorrow, still means four.
 */
export const settingsOverResume = (world: World, paths: SessionPaths, read: Settings): Settings => {
  let settings = read;
  scanJournal(world.disk, paths.journal, 0, (events) => {
    for (const event of events) {
      if (event.type !== 'settings.changed') continue;
      for (const [key, value] of Object.entries(event.set)) settings = setSetting(settings, key, value);
    }
  });
  return settings;
};
