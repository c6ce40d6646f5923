import { mergeSettings } from '../../session/settings/partial-settings.ts';
import type { PartialSettings, Settings } from '../../session/settings.ts';

/** Named limits of a loop: milliseconds and turns. `custom` keeps the configured limits. */
export const loopPresets = {
  production: { max_runtime: 9 * 3_600_000, max_turns: 99 },
  poc: { max_runtime: 600_000, max_turns: 20 },
  custom: {},
} as const satisfies Readonly<Record<string, PartialSettings['loop']>>;

export type LoopPreset = keyof typeof loopPresets;

/** Lays a preset over the settings of a loop. */
export const withPreset = (settings: Settings, preset: LoopPreset | undefined): Settings =>
  preset === undefined ? settings : mergeSettings(settings, { loop: loopPresets[preset] });
