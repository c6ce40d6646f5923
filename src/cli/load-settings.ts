import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Checked, Fault } from '../base/fault.ts';
import { type FoundLayers, readLayers, userConfigFile } from '../session/config.io.ts';
import {
  type Configuration,
  commandLineLayer,
  type Layer,
  resolveSettings,
  situationDefaults,
} from '../session/config.ts';
import type { SessionPaths } from '../session/paths.ts';
import { type Cli, valueOrExit } from './cli.ts';
import type { Flags } from './options.ts';
import type { World } from './world.ts';

export interface SettingsWish {
  readonly workspace: string;
  /** Somebody sits before a screen: gates wait for a person. */
  readonly attended: boolean;
  /** An existing session: its instructions count too. */
  readonly session?: SessionPaths;
  /** Of the plan that is run. */
  readonly plan?: Checked<Layer>;
  readonly flags?: Flags;
}

/** All layers laid over each other; what is wrong in one of them ends the program with every fault. */
export const loadConfiguration = (
  cli: Cli,
  world: World,
  wish: SettingsWish,
): Configuration & { readonly layers: readonly Layer[] } => {
  const { layers, faults } = findLayers(cli, world, wish);
  const good = valueOrExit(faults.length > 0 ? { ok: false, faults } : { ok: true, value: layers });
  return { ...resolveSettings(good), layers: good };
};

/** The same for `config check`, which lists the faults instead. */
export const findLayers = (cli: Cli, world: World, wish: SettingsWish): FoundLayers => {
  const files = readLayers(world.disk, {
    userFile: userConfigFile(cli.env),
    workspace: wish.workspace,
    session: wish.session ?? null,
  });
  const faults: Fault[] = [...files.faults];
  const use = (checked: Checked<Layer>): readonly Layer[] => {
    if (checked.ok) return [checked.value];
    faults.push(...checked.faults);
    return [];
  };
  const situation = situationDefaults({
    attended: wish.attended,
    modelAgents: false,
    gitRepository: existsSync(join(wish.workspace, '.git')),
  });
  const layers = [
    situation,
    ...files.layers,
    ...(wish.plan ? use(wish.plan) : []),
    ...(wish.flags ? use(commandLineLayer({ ...wish.flags })) : []),
  ];
  return { layers, faults };
};
