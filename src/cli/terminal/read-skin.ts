import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { grounds, type Skin, tones } from '../../../components/draw/palettes.ts';
import type { Disk } from '../../base/disk.ts';
import type { Checked, Fault } from '../../base/fault.ts';
import { isRecord } from '../../base/json.ts';
import { readText } from '../../base/replace-file.ts';
import { nearestKey } from '../../tasks/nearest-key.ts';
import { parseYaml } from '../../tasks/yaml-text.ts';

const colour = z.string().regex(/^#[0-9a-f]{6}$/i);

/** Names of `ui.theme` that are no file. */
const themeNames = ['auto', 'dark', 'light', 'high-contrast', 'solarized', 'none'] as const;

export const isThemeName = (theme: string): boolean => themeNames.some((name) => name === theme);

/** The file of a person's own colours. A relative path counts from the directory of the person's configuration. */
export const skinFile = (theme: string, base: string): string =>
  isAbsolute(theme) ? theme : join(base, theme);

/** A flat list of tones and backgrounds as `#rrggbb`. Each fault names file, line and key. */
export const parseSkin = (text: string, file: string): Checked<Skin> => {
  const { value: yaml, problems } = parseYaml(text, file);
  if (problems.length > 0) return { ok: false, faults: problems };
  const read = yaml.value ?? {};
  if (!isRecord(read)) return { ok: false, faults: [fault(file, 'is not a list of colours')] };
  const known: readonly string[] = [...tones, ...grounds];
  const faults = Object.entries(read).flatMap(([key, value]): readonly Fault[] => {
    const where = `${file}:${yaml.line([key])}`;
    if (!known.includes(key)) {
      const near = nearestKey(key, known);
      return [
        fault(
          where,
          `unknown colour "${key}"`,
          near === null ? `known: ${known.join(', ')}` : `did you mean "${near}"?`,
        ),
      ];
    }
    return colour.safeParse(value).success
      ? []
      : [fault(where, `${JSON.stringify(value)} is not a colour for "${key}"`, 'write it as "#rrggbb"')];
  });
  const skin = z.record(z.string(), colour).safeParse(read);
  return faults.length > 0 || !skin.success ? { ok: false, faults } : { ok: true, value: skin.data };
};

/** The colours in the file, or why it cannot be used. */
export const readSkin = (disk: Disk, file: string): Checked<Skin> => {
  const text = readText(disk, file);
  return text === null
    ? {
        ok: false,
        faults: [
          fault(file, 'there is no such file', `ui.theme must be one of ${themeNames.join(', ')}, or a file`),
        ],
      }
    : parseSkin(text, file);
};

const fault = (where: string, what: string, hint?: string): Fault => ({
  code: 'ui-theme',
  where,
  what,
  ...(hint === undefined ? {} : { hint }),
});
