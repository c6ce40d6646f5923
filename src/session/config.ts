import type { Checked } from '../base/fault.ts';
import type { PlanText } from '../tasks/plan-file.ts';
import { isRecord } from '../tasks/yaml-edit.ts';
import { parseYaml } from '../tasks/yaml-text.ts';
import {
  checkSettings,
  mergeSettings,
  nest,
  type PartialSettings,
  settingKeys,
  settingOf,
} from './partial-settings.ts';
import { defaultSettings, type Settings } from './settings.ts';

/** Where settings come from, the weakest first (plan-and-config.md, Configuration). */
export const layerNames = ['defaults', 'user', 'workspace', 'instructions', 'plan', 'command line'] as const;
export type LayerName = (typeof layerNames)[number];

/** Settings of one place. */
export interface Layer {
  readonly name: LayerName;
  /** As shown to people; `null` for defaults and the command line. */
  readonly file: string | null;
  readonly values: PartialSettings;
  /** Line of a key, from 1; `null` without a file. */
  readonly line: ((path: readonly PropertyKey[]) => number) | null;
  /** Of the file's bytes, for the question whether it is trusted; absent where there is none. */
  readonly sha256?: string;
}

/** The settings of a session and where each key comes from. */
export interface Configuration {
  readonly settings: Settings;
  /** By dotted key (`timeouts.stall`): `defaults`, `command line`, or `<file>:<line>`. */
  readonly origins: ReadonlyMap<string, Origin>;
}

export interface Origin {
  readonly layer: LayerName;
  readonly file: string | null;
  readonly line: number | null;
}

/** Lays the layers over each other; their order does not matter. */
export const resolveSettings = (layers: readonly Layer[]): Configuration => {
  const sorted = [...layers].sort((a, b) => layerNames.indexOf(a.name) - layerNames.indexOf(b.name));
  let settings = defaultSettings;
  const origins = new Map<string, Origin>(
    settingKeys.map((key) => [key, { layer: 'defaults', file: null, line: null }]),
  );
  for (const layer of sorted) {
    settings = mergeSettings(settings, layer.values);
    for (const key of settingKeys) {
      if (settingOf(layer.values, key) === undefined) continue;
      const path = layer.name === 'plan' ? ['settings', ...key.split('.')] : key.split('.');
      origins.set(key, { layer: layer.name, file: layer.file, line: layer.line?.(path) ?? null });
    }
  }
  return { settings, origins };
};

/** `defaults`, `command line`, `/home/kim/.config/ralph-tui/config.yaml:3` */
export const formatOrigin = ({ layer, file, line }: Origin): string =>
  file === null ? layer : `${file}${line === null ? '' : `:${line}`}`;

/** A `config.yaml`; every fault names file, line, key and what is allowed. */
export const parseConfig = (text: string, file: string, name: 'user' | 'workspace'): Checked<Layer> => {
  const { value: yaml, problems } = parseYaml(text, file);
  if (problems.length > 0) return { ok: false, faults: problems };
  const checked = checkSettings(yaml.value, { file, line: yaml.line });
  return checked.ok ? { ok: true, value: { name, file, values: checked.value, line: yaml.line } } : checked;
};

/** The `settings` of a plan; `parsePlan` has checked the rest of it. */
export const layerOfPlan = (
  { settings, line }: { readonly settings: unknown; readonly line: PlanText['line'] },
  file: string,
): Checked<Layer> => {
  const checked = checkSettings(settings, { file, line }, ['settings']);
  return checked.ok ? { ok: true, value: { name: 'plan', file, values: checked.value, line } } : checked;
};

/** The same of a plan file whose tasks are of no interest any more: a session goes on although its plan would not be accepted today. */
export const planLayer = (text: string, file: string): Checked<Layer> => {
  const { value: yaml, problems } = parseYaml(text, file, { size: 4_194_304, depth: 32 });
  if (problems.length > 0) return { ok: false, faults: problems };
  const settings = isRecord(yaml.value) ? yaml.value['settings'] : undefined;
  return layerOfPlan({ settings, line: yaml.line }, file);
};

/** Settings of the command line, by dotted key; values may be text. */
export const commandLineLayer = (values: Readonly<Record<string, unknown>>): Checked<Layer> => {
  let merged: unknown = {};
  for (const [key, value] of Object.entries(values)) merged = overlay(merged, nest(key, value));
  const checked = checkSettings(merged, { file: 'command line', line: null });
  return checked.ok
    ? { ok: true, value: { name: 'command line', file: null, values: checked.value, line: null } }
    : checked;
};

const overlay = (below: unknown, above: unknown): unknown => {
  if (!isRecord(below) || !isRecord(above)) return above;
  const inner = Object.entries(above).map(([key, value]) => [key, overlay(below[key], value)]);
  return { ...below, ...Object.fromEntries(inner) };
};

/** What is known before any file is read, and changes some defaults (plan-and-config.md). */
export interface Situation {
  /** A screen with a person in front of it. */
  readonly attended: boolean;
  readonly modelAgents: boolean;
  readonly gitRepository: boolean;
}

/** Defaults that depend on the situation. */
export const situationDefaults = ({ attended, modelAgents, gitRepository }: Situation): Layer => ({
  name: 'defaults',
  file: null,
  line: null,
  values: {
    ...(modelAgents ? { concurrency: { max_parallel_executors: 2 } } : {}),
    ...(attended && modelAgents ? { gates: ['plan'] as const } : {}),
    ...(attended ? {} : { knowledge: { approval_timeout: 0 } }),
    ...(modelAgents && gitRepository ? { isolation: 'worktree' as const } : {}),
  },
});
