import { join } from 'node:path';
import type { Entry } from '../entries/entry.ts';
import { addHooks, removeHooks } from './settings-hooks.ts';
import { pluginId, pluginInSettings } from './twice.ts';

/** Our hooks in Claude Code's settings of this folder. */
export const hooksEntry: Entry = {
  name: 'ralph-tui hook',
  file: ({ cwd }) => join(cwd, '.claude/settings.json'),
  add: addHooks,
  remove: removeHooks,
  elsewhere: ({ cwd, env }) => {
    const file = pluginInSettings(env, cwd);
    return file === null
      ? null
      : `the plugin ${pluginId}, which ${file} switches on, already brings these hooks`;
  },
};
