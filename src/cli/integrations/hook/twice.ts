import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Cli } from '../../cli.ts';
import { parseJsonc } from '../entries/jsonc.ts';
import { memberOf } from '../entries/jsonc-edit.ts';
import type { HookEventName } from './hook-event.ts';
import { hasHook } from './settings-hooks.ts';

/** The plugin of this repository as Claude Code names it: the plugin, and the marketplace that it is from (`.claude-plugin/marketplace.json`). */
export const pluginId = 'ralph@ralph-sessions';

/** The file of settings that runs our hook at this event beside the plugin, or `null`. `folder`: where Claude Code works. */
export const hookInSettings = (env: Cli['env'], folder: string, name: HookEventName): string | null =>
  settingsFiles(env, folder).find((file) => hasHook(textOf(file), name)) ?? null;

/** The file of settings that switches our plugin on in this folder, or `null`. */
export const pluginInSettings = (env: Cli['env'], folder: string): string | null => {
  const said = settingsFiles(env, folder).flatMap((file) => {
    const root = parseJsonc(textOf(file));
    const plugins = root === null ? undefined : memberOf(root, 'enabledPlugins');
    const ours = plugins === undefined ? undefined : memberOf(plugins, pluginId);
    return ours?.kind === 'scalar' ? [{ file, isOn: ours.value === true }] : [];
  });
  const last = said.at(-1);
  return last?.isOn === true ? last.file : null;
};

/** Later ones win. */
const settingsFiles = (env: Cli['env'], folder: string): readonly string[] => {
  const project = join(env['CLAUDE_PROJECT_DIR'] ?? folder, '.claude');
  return [
    join(env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.claude'), 'settings.json'),
    join(project, 'settings.json'),
    join(project, 'settings.local.json'),
  ];
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A missing file says nothing, nor does anything that is no file.
    return '';
  }
};
