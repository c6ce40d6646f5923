import type { Checked } from '../base/fault.ts';
import { isRecord } from '../base/json.ts';
import type { PlanText } from '../tasks/plan-file.ts';
import { parseYaml } from '../tasks/yaml-text.ts';
import { allSettings, settingSteps } from './settings/index.ts';
import { nestKeys } from './settings/nest-keys.ts';
import { checkSettings, mergeSettings, settingKeys, settingOf } from './settings/partial-settings.ts';
import type { Situation } from './settings/setting.ts';
import { defaultSettings, type PartialSettings, type Settings } from './settings.ts';

/** The sources of settings, the weakest first (src/session/README.md, Configuration). */
const layerNames = ['defaults', 'user', 'workspace', 'instructions', 'plan', 'command line'] as const;
type LayerName = (typeof layerNames)[number];

/** The settings of one source. */
export interface Layer {
  readonly name: LayerName;
  /** As shown to people; `null` for defaults and the command line. */
  readonly file: string | null;
  readonly values: PartialSettings;
  /** The line of a key, from 1; `null` without a file. */
  readonly line: ((path: readonly PropertyKey[]) => number) | null;
  /** The digest of the file's bytes, for the trust question; absent without a file. */
  readonly sha256?: string;
}

/** The settings of a session with the origin of each key. */
export interface Configuration {
  readonly settings: Settings;
  /** By dotted key (`timeouts.stall`): `defaults`, `command line`, or `<file>:<line>`. */
  readonly origins: ReadonlyMap<string, Origin>;
}

interface Origin {
  readonly layer: LayerName;
  readonly file: string | null;
  readonly line: number | null;
}

/** Merges the layers. Their order in the list does not matter. */
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
      const path = [...(layer.name === 'plan' ? ['settings'] : []), ...settingSteps(key)];
      origins.set(key, { layer: layer.name, file: layer.file, line: layer.line?.(path) ?? null });
    }
  }
  return { settings, origins };
};

/** `defaults`, `command line`, `/home/kim/.config/ralph-tui/config.yaml:3` */
export const formatOrigin = ({ layer, file, line }: Origin): string =>
  file === null ? layer : `${file}${line === null ? '' : `:${line}`}`;

/** Parses a `config.yaml`. Every fault names file, line, key and the allowed values. */
export const parseConfig = (text: string, file: string, name: 'user' | 'workspace'): Checked<Layer> => {
  const { value: yaml, problems } = parseYaml(text, file);
  if (problems.length > 0) return { ok: false, faults: problems };
  const checked = checkSettings(yaml.value, { file, line: yaml.line });
  return checked.ok ? { ok: true, value: { name, file, values: checked.value, line: yaml.line } } : checked;
};

/** The `settings` of a plan, whose other parts `parsePlan` has checked. */
export const layerOfPlan = (
  { settings, line }: { readonly settings: unknown; readonly line: PlanText['line'] },
  file: string,
): Checked<Layer> => {
  const checked = checkSettings(settings, { file, line }, ['settings']);
  return checked.ok ? { ok: true, value: { name: 'plan', file, values: checked.value, line } } : checked;
};

/** The `settings` of a plan file without a check of its tasks: a session continues although its plan would be refused today. */
export const planLayer = (text: string, file: string): Checked<Layer> => {
  const { value: yaml, problems } = parseYaml(text, file, { size: 4_194_304, depth: 32 });
  if (problems.length > 0) return { ok: false, faults: problems };
  const settings = isRecord(yaml.value) ? yaml.value['settings'] : undefined;
  return layerOfPlan({ settings, line: yaml.line }, file);
};

/** Settings of the command line, by dotted key. Values may be text. */
export const commandLineLayer = (values: Readonly<Record<string, unknown>>): Checked<Layer> => {
  const checked = checkSettings(nestAll(Object.entries(values)), { file: 'command line', line: null });
  return checked.ok
    ? { ok: true, value: { name: 'command line', file: null, values: checked.value, line: null } }
    : checked;
};

const nestAll = (entries: readonly (readonly [key: string, value: unknown])[]): unknown =>
  nestKeys<unknown>(entries, (group) => group);

/** Defaults that depend on the situation (src/session/README.md). */
export const situationDefaults = (situation: Situation): Layer => {
  const found = allSettings.flatMap(({ key, defaultsWhen = [] }) => {
    const holds = defaultsWhen.find(({ when }) => when(situation));
    return holds ? [[key, holds.value] as const] : [];
  });
  const checked = checkSettings(nestAll(found), { file: 'defaults', line: null });
  return { name: 'defaults', file: null, line: null, values: checked.ok ? checked.value : {} };
};
