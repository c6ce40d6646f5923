import type { Command } from './command.ts';
import { keyLabel } from './key-label.ts';

/** Turns `{steer.pause} resumes` into `p resumes`: a sentence names the command's key on this screen, standard or set. */
export const nameKeys = (text: string, commands: readonly Command[]): string =>
  text.includes('{')
    ? text.replace(/\{([a-z-]+\.[a-z-]+)\}/g, (whole, id: string) => {
        const key = commands.find((command) => command.id === id)?.keys[0];
        return key === undefined ? whole : keyLabel(key);
      })
    : text;
