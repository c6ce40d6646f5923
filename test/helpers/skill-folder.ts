import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes files below a folder. A value `{link}` makes a symbolic link. */
export const writeFiles = (
  folder: string,
  files: Readonly<Record<string, string | { readonly link: string }>>,
): void => {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'string') writeFileSync(path, content);
    else symlinkSync(content.link, path);
  }
};

/** The text of a small skill that is right. `more`: further lines of its front matter. */
export const skillFile = (name: string, more = '', body = '# Do it\n\n1. Do it.'): string =>
  `---\nname: ${name}\ndescription: Does something when it is asked for.\n${more}---\n${body}\n`;
