import { fileURLToPath } from 'node:url';

/** The folder of the definitions of workers that ship with this program, absolute: `workers/` beside this module, or beside the built program. */
export const shippedWorkers = (): string => fileURLToPath(new URL('./workers', import.meta.url));
