import { scanJournal } from '../../observability/journal-file.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { withSet } from '../../session/settings/live-settings.ts';
import { type LoopPreset, withPreset } from '../../session/settings/loop-presets.ts';
import type { Settings } from '../../session/settings.ts';
import type { World } from '../world.ts';

/**
 * The configuration of now with the journaled presets of a loop and SET changes (`+`, `-`) on top. A person who
 * added a fourth executor still means four after a resume. `preset`: of this start.
 */
export const settingsOverResume = (
  world: World,
  paths: SessionPaths,
  read: Settings,
  preset?: LoopPreset,
): Settings => {
  let settings = read;
  scanJournal(world.disk, paths.journal, 0, (events) => {
    for (const event of events) {
      if (event.type === 'session.started') settings = withPreset(settings, event.preset, read);
      if (event.type === 'settings.changed') settings = withSet(settings, event.set);
    }
  });
  return withPreset(settings, preset, read);
};
