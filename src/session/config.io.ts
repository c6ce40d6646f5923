import { join } from 'node:path';
import envPaths from 'env-paths';
import type { Disk } from '../base/disk.ts';
import { diskCode } from '../base/disk.ts';
import type { Fault } from '../base/fault.ts';
import { sha256 } from '../base/hash.io.ts';
import { readText } from '../base/replace-file.ts';
import { type Layer, parseConfig } from './config.ts';
import { parseInstructions } from './instructions.ts';
import type { SessionPaths } from './paths.ts';

/** `$XDG_CONFIG_HOME/ralph-tui/config.yaml`, or the platform's directory for configuration. */
export const userConfigFile = (environment: Readonly<Record<string, string | undefined>>): string => {
  const home = environment['XDG_CONFIG_HOME'];
  const directory = home ? join(home, 'ralph-tui') : envPaths('ralph-tui', { suffix: '' }).config;
  return join(directory, 'config.yaml');
};

/** `<workspace>/.ralph/config.yaml` */
export const workspaceConfigFile = (workspace: string): string => join(workspace, '.ralph', 'config.yaml');

/** The layers that were found, and every fault of the unusable ones. A missing file is no fault. */
export interface FoundLayers {
  readonly layers: readonly Layer[];
  readonly faults: readonly Fault[];
}

/** Reads user, workspace and, for a session, instructions. */
export const readLayers = (
  disk: Disk,
  places: {
    readonly userFile: string;
    readonly workspace: string;
    readonly session: SessionPaths | null;
  },
): FoundLayers => {
  const layers: Layer[] = [];
  const faults: Fault[] = [];
  const read = (file: string, use: (text: string) => void): void => {
    try {
      const text = readText(disk, file, 262_144);
      if (text !== null) use(text);
    } catch (error) {
      const what = `cannot be read (${diskCode(error) || String(error)})`;
      faults.push({
        code: 'config-unreadable',
        what,
        where: file,
        hint: 'make it a regular file that you own, or remove it',
      });
    }
  };
  for (const [name, file] of [
    ['user', places.userFile],
    ['workspace', workspaceConfigFile(places.workspace)],
  ] as const) {
    read(file, (text) => {
      const checked = parseConfig(text, file, name);
      if (checked.ok) layers.push({ ...checked.value, sha256: sha256(text) });
      else faults.push(...checked.faults);
    });
  }
  const instructions = places.session?.instructions;
  if (instructions !== undefined) {
    read(instructions, (text) => {
      const { value, problems } = parseInstructions(text, instructions);
      layers.push(value.layer);
      faults.push(...problems);
    });
  }
  return { layers, faults };
};
