import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder at or above `from` that holds sessions; `from` itself when there is none. */
export const findWorkspace = (from: string): string => {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.ralph-sessions'))) return folder;
    if (dirname(folder) === folder) return from;
  }
};
