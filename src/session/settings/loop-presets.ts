import { z } from 'zod';
import type { Settings } from '../settings.ts';

/** Named limits of a loop (`--preset`). `custom` keeps the configured limits. */
export const loopPresetSchema = z.enum(['production', 'poc', 'custom']);
export type LoopPreset = z.infer<typeof loopPresetSchema>;

type Limits = Pick<Settings['loop'], 'max_runtime' | 'max_turns'>;

/** Milliseconds and turns. */
const limits: Readonly<Record<Exclude<LoopPreset, 'custom'>, Limits>> = {
  production: { max_runtime: 9 * 3_600_000, max_turns: 99 },
  poc: { max_runtime: 600_000, max_turns: 20 },
};

/** Lays a preset over the settings of a loop. `configured`: without any preset. */
export const withPreset = (
  settings: Settings,
  preset: LoopPreset | undefined,
  configured: Settings,
): Settings => {
  if (preset === undefined) return settings;
  const { max_runtime, max_turns } = preset === 'custom' ? configured.loop : limits[preset];
  return { ...settings, loop: { ...settings.loop, max_runtime, max_turns } };
};
