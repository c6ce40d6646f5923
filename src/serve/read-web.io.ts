import { readFileSync } from 'node:fs';
import { webFiles } from './web-files.ts';

export interface WebFile {
  readonly text: string;
  readonly type: string;
}

/** A file that browsers load: from `web/` beside the built program, or from its place in a checkout. `null`: there is none of this name. */
export const readWeb = (name: string): WebFile | null => {
  const file = Object.hasOwn(webFiles, name) ? webFiles[name] : undefined;
  if (file === undefined) return null;
  const isBuilt = !import.meta.url.includes('/src/serve/');
  const place = isBuilt
    ? new URL(`./web/${name}`, import.meta.url)
    : new URL(`../../${file}`, import.meta.url);
  const type = name.endsWith('.svg') ? 'image/svg+xml' : 'text/javascript; charset=utf-8';
  return { text: readFileSync(place, 'utf8'), type };
};
