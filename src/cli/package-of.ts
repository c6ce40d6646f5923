import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { objectFromJson } from '../base/json.ts';

/** The name of the package that a program is part of, by the nearest `package.json` above the file it links to; `null`: none. */
export const packageOf = (program: string): string | null => {
  try {
    for (let folder = dirname(realpathSync(program)); ; folder = dirname(folder)) {
      const { name } = objectFromJson(textOf(join(folder, 'package.json')));
      if (typeof name === 'string') return name;
      if (dirname(folder) === folder) return null;
    }
  } catch {
    // A dangling link is no program.
    return null;
  }
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Most folders have none.
    return '';
  }
};
