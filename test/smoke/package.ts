import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const packed = z.tuple([
  z.object({ filename: z.string(), size: z.number(), files: z.array(z.object({ path: z.string() })) }),
]);

/** What `npm pack` makes of the repository: the path of the tarball, its bytes, and its files. Without `directory` nothing is written. */
export const pack = (
  directory: string | null,
  scripts: 'run-scripts' | 'as-built',
): { readonly file: string; readonly size: number; readonly files: readonly string[] } => {
  const where = directory === null ? ['--dry-run'] : ['--pack-destination', directory];
  const how = scripts === 'as-built' ? ['--ignore-scripts'] : [];
  const text = execFileSync('npm', ['pack', '--json', ...where, ...how], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const value: unknown = JSON.parse(text);
  const [{ filename, size, files }] = packed.parse(Array.isArray(value) ? value : Object.values(value ?? {}));
  return { file: join(directory ?? root, filename), size, files: files.map(({ path }) => path) };
};
