import type { Checked } from '../../base/fault.ts';
import { fromJson, isRecord } from '../../base/json.ts';
import {
  type Guidance,
  guidanceItemSchema,
  itemText,
  noGuidance,
  uniqueItems,
  without,
} from '../../session/guidance/guidance.ts';
import { formatDuration } from '../../tasks/duration.ts';

/** One key of the plugin's file and its result. */
interface ImportedKey {
  /** The dotted key of the file. */
  readonly from: string;
  /** Our setting or guidance list, or `null` without a counterpart. */
  readonly to: string | null;
  /** The value to write, or the reason why there is none. */
  readonly words: string;
}

/** The result of an import, before it is written. */
export interface PluginImport {
  readonly version: string;
  /** Settings by dotted key, as people write them. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly guidance: Guidance;
  /** Every key of the file. */
  readonly keys: readonly ImportedKey[];
}

/** Reads `.claude/ralph-config.json` of the plugin's versions 3.0 to 3.2 (seed 002, Configuration Schema Evolution). */
export const importPluginConfig = (text: string, file: string): Checked<PluginImport> => {
  const value = fromJson(text);
  if (!isRecord(value)) return refused(file, 'is not a JSON object', "name the plugin's ralph-config.json");
  const version = String(value['version'] ?? '3.0.0');
  if (!/^3\.[0-2]\b/.test(version))
    return refused(
      file,
      `has version ${version}, which is not supported`,
      'versions 3.0 to 3.2 can be imported',
    );
  const settings: Record<string, unknown> = {};
  const keys: ImportedKey[] = [];
  for (const [path, leaf] of leaves(value)) {
    const mapped = mapKey(path, leaf);
    if (mapped !== null && 'to' in mapped) {
      settings[mapped.to] = mapped.value;
      keys.push({ from: path, to: mapped.to, words: JSON.stringify(mapped.value) });
    } else if (!isGuidance(path))
      keys.push({ from: path, to: null, words: mapped?.why ?? 'has no counterpart' });
  }
  const sources = sourcesOf(value['constraint_discovery']);
  if (Object.keys(sources).length > 0) {
    settings['discovery.sources'] = sources;
    keys.push({
      from: 'constraint_discovery.agents',
      to: 'discovery.sources',
      words: JSON.stringify(sources),
    });
  }
  const guidance = guidanceOf(value['guidance']);
  for (const list of ['forbidden', 'encouraged'] as const)
    if (guidance[list].length > 0)
      keys.push({
        from: `guidance.${list}`,
        to: `guidance ${list}`,
        words: guidance[list].map((item) => JSON.stringify(itemText(item))).join(', '),
      });
  return { ok: true, value: { version, settings, guidance, keys } };
};

const refused = (file: string, what: string, hint: string): Checked<never> => ({
  ok: false,
  faults: [{ code: 'plugin-config', what, where: file, hint }],
});

/** Dotted keys of all values except maps. A list counts as one value. */
const leaves = (
  value: Readonly<Record<string, unknown>>,
  prefix = '',
): readonly (readonly [string, unknown])[] =>
  Object.entries(value).flatMap(([key, inner]) =>
    isRecord(inner) &&
    Object.keys(inner).length > 0 &&
    prefix.split('.').length < 5 &&
    !whole.has(`${prefix}${key}`)
      ? leaves(inner, `${prefix}${key}.`)
      : [[`${prefix}${key}`, inner] as const],
  );

/** Maps that are imported as one value. */
const whole = new Set(['constraint_scan']);

const isGuidance = (path: string): boolean =>
  /^guidance\.(?:forbidden|encouraged)$|^constraint_discovery\.(?:agents|enabled_agents)$/.test(path);

type Mapped = { readonly to: string; readonly value: unknown } | { readonly why: string };

const mapKey = (path: string, value: unknown): Mapped | null => {
  const why = reasons[path];
  if (why !== undefined) return { why };
  const rule = rules[path];
  if (rule === undefined) return null;
  const number = typeof value === 'number' && Number.isFinite(value) && value >= 0;
  if (rule.kind === 'boolean' || rule.kind === 'not')
    return typeof value === 'boolean'
      ? { to: rule.to, value: value === (rule.kind === 'boolean') }
      : { why: 'is neither true nor false' };
  if (!number) return { why: 'is not a number' };
  if (rule.kind === 'hours') return { to: rule.to, value: formatDuration(Math.round(value * 3_600) * 1_000) };
  if (rule.kind === 'seconds') return { to: rule.to, value: formatDuration(Math.round(value * 1_000)) };
  return { to: rule.to, value: rule.kind === 'whole' ? Math.round(value) : value };
};

type Kind = 'hours' | 'seconds' | 'whole' | 'number' | 'boolean' | 'not';

const rules: Readonly<Record<string, { readonly to: string; readonly kind: Kind }>> = {
  skip_constraint_scan: { to: 'discovery.enabled', kind: 'not' },
  'loop_limits.max_hours': { to: 'loop.max_runtime', kind: 'hours' },
  'loop_limits.max_iterations': { to: 'loop.max_turns', kind: 'whole' },
  'loop_limits.min_iterations': { to: 'loop.min_turns', kind: 'whole' },
  'completion.confidence_threshold': { to: 'loop.threshold', kind: 'number' },
  'constraint_discovery.timeout_seconds': { to: 'discovery.timeout', kind: 'seconds' },
  'constraint_discovery.aggregate_similar': { to: 'discovery.aggregate_similar', kind: 'boolean' },
  'constraint_discovery.min_confidence_threshold': {
    to: 'discovery.min_confidence_threshold',
    kind: 'number',
  },
};

const reasons: Readonly<Record<string, string>> = {
  version: 'only says how to read the file',
  state: 'belongs to a running loop of the plugin',
  constraint_scan: 'run `ralph-tui scan` instead',
  'guidance.timestamp': 'is set again when the guidance is saved',
  'loop_limits.min_hours': 'a loop has no minimum time here',
  'constraint_discovery.skip_timeout_agents': 'a source that exceeds its time limit is always skipped',
  'loop_detection.similarity_threshold': 'is fixed at 0.99',
  'loop_detection.window_size': 'is fixed at 5 outputs',
};

/** Sources that are disabled or have their own time limit. */
const sourcesOf = (value: unknown): Readonly<Record<string, unknown>> => {
  if (!isRecord(value)) return {};
  const found: Record<string, Record<string, unknown>> = {};
  const enabled = value['enabled_agents'];
  if (Array.isArray(enabled))
    for (const name of knownSources) if (!enabled.includes(name)) found[name] = { enabled: false };
  for (const agent of Array.isArray(value['agents']) ? value['agents'].filter(isRecord) : []) {
    const name = agent['agent_id'];
    if (typeof name !== 'string' || !knownSources.includes(name)) continue;
    const seconds = agent['timeout_seconds'];
    found[name] = {
      ...found[name],
      ...(agent['enabled'] === false ? { enabled: false } : {}),
      ...(typeof seconds === 'number' && seconds > 0
        ? { timeout: formatDuration(Math.round(seconds * 1_000)) }
        : {}),
    };
  }
  return Object.fromEntries(Object.entries(found).filter(([, settings]) => Object.keys(settings).length > 0));
};

const knownSources: readonly string[] = ['env-scanner', 'config-discovery', 'integration-points'];

const guidanceOf = (value: unknown): Guidance => {
  if (!isRecord(value)) return noGuidance;
  // The plugin wrote a single one without a list.
  const items = (list: unknown) =>
    (Array.isArray(list) ? list : list === undefined || list === null ? [] : [list]).flatMap((item) => {
      const checked = guidanceItemSchema.safeParse(item);
      return checked.success ? [checked.data] : [];
    });
  const forbidden = uniqueItems(items(value['forbidden']));
  return {
    ...noGuidance,
    forbidden,
    encouraged: without(uniqueItems(items(value['encouraged'])), forbidden),
  };
};
