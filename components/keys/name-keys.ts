import { memoise } from '../../src/base/memoise.ts';
import type { Command } from '../command.ts';
import { keyLabel } from './key-label.ts';

/** Turns `{steer.pause} resumes` into `p resumes`: a sentence names the command's key on this screen, standard or set. */
export const nameKeys = (text: string, commands: readonly Command[]): string =>
  text.includes('{')
    ? text.replace(/\{([a-z-]+\.[a-z-]+)\}/g, (whole, id: string) => {
        const key = byId(commands).get(id)?.keys[0];
        return key === undefined ? whole : keyLabel(key);
      })
    : text;

const byId = memoise(
  (commands: readonly Command[]): ReadonlyMap<string, Command> =>
    new Map(commands.map((command) => [command.id, command])),
);
