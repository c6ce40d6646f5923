import type { Checked, Fault } from '../../base/fault.ts';
import { type FoundLayers, readLayers, userConfigFile } from '../../session/config.io.ts';
import {
  type Configuration,
  commandLineLayer,
  type Layer,
  resolveSettings,
  situationDefaults,
} from '../../session/config.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { type Cli, valueOrExit } from '../cli.ts';
import { type Flags, flagSettings } from '../options.ts';
import type { World } from '../world.ts';
import { foundPrintModes } from './found-print-modes.ts';
import { secretsOfAgents } from './secrets-of-agents.ts';

interface SettingsQuery {
  readonly workspace: string;
  /** A person is at the screen, so gates wait for an answer. */
  readonly attended: boolean;
  /** A background process asks. Without this, a session at the screen runs where the setting `host` says. */
  readonly background?: boolean;
  /** An existing session, whose instructions count too. */
  readonly session?: SessionPaths;
  /** The layer of the plan to run. */
  readonly plan?: Checked<Layer>;
  /** That plan is the person's own, and is asked about before the start. */
  readonly ownPlan?: boolean;
  readonly flags?: Flags;
}

/** Merges all layers. Any fault ends the program with every fault. */
export const loadConfiguration = (
  cli: Cli,
  world: World,
  request: SettingsQuery,
): Configuration & { readonly layers: readonly Layer[] } => {
  const { layers, faults } = findLayers(cli, world, request);
  const good = valueOrExit(faults.length > 0 ? { ok: false, faults } : { ok: true, value: layers });
  return { ...resolveSettings(good), layers: good };
};

/** Finds the layers for `config check`, which lists the faults instead. */
export const findLayers = (cli: Cli, world: World, request: SettingsQuery): FoundLayers => {
  const files = readLayers(world.disk, {
    userFile: userConfigFile(cli.env),
    workspace: request.workspace,
    session: request.session ?? null,
  });
  const faults: Fault[] = [...files.faults];
  const use = (checked: Checked<Layer>): readonly Layer[] => {
    if (checked.ok) return [checked.value];
    faults.push(...checked.faults);
    return [];
  };
  const written = [...files.layers, ...(request.plan ? use(request.plan) : [])];
  const flags = use(commandLineLayer(flagSettings(request.flags ?? {}, request.plan !== undefined)));
  const situation = situationDefaults({
    attended: request.attended,
    background: request.background ?? (request.attended && hostOf([...written, ...flags]) === 'background'),
    modelAgents: hasModelAgents([...written, ...flags]),
    ownPlan: request.ownPlan ?? false,
  });
  const chosen = [situation, ...written, ...flags];
  const layers = [foundPrintModes(cli, world, request.workspace, chosen), ...chosen];
  const secrets = secretsOfAgents(layers);
  world.learn(secrets);
  cli.learn(secrets);
  return { layers, faults };
};

const hostOf = (layers: readonly Layer[]): string | undefined =>
  layers.findLast(({ values }) => values.host !== undefined)?.values.host;

/** Whether any role has an agent other than the script: agents cost money and make mistakes. */
const hasModelAgents = (layers: readonly Layer[]): boolean =>
  Object.values(resolveSettings(layers).settings.roles).some((name) => name !== 'script');
