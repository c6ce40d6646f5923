import { sha256 } from '../../src/base/hash.io.ts';

/** `sha256(name, bytes)` of rule 6, worked out beside the program. */
export const identityOf = (file: string, text: string): string => sha256(`${file}\0${text}`);
