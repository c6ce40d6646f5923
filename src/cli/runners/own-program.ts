import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** The directory of this program's bundle, absolute. npm starts it by a link in a directory that holds other programs, too. */
export const ownProgram = (): string => dirname(realpathSync(process.argv[1] ?? '.'));
