import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const manifestSchema = z.object({ version: z.string() });

/**
 * The version of the package that a program belongs to, without starting it; `null` without a package. npm links a program into its package: the manifest is
 * a few folders above the link's target.
 */
export const packageVersion = (file: string): string | null => {
  try {
    let folder = dirname(realpathSync(file));
    for (let up = 0; up < 4; up += 1) {
      const version = versionIn(join(folder, 'package.json'));
      if (version !== null) return version;
      folder = dirname(folder);
    }
  } catch {
    // A broken link has no version.
  }
  return null;
};

const versionIn = (manifest: string): string | null => {
  try {
    return manifestSchema.safeParse(JSON.parse(readFileSync(manifest, 'utf8'))).data?.version ?? null;
  } catch {
    return null;
  }
};
