import { fileURLToPath } from 'node:url';

/** The folder of the skills that ship with this program, absolute: beside this module in a checkout, in `skills/` beside the built program. */
export const shippedSkills = (): string =>
  fileURLToPath(
    new URL(import.meta.url.includes('/src/skills/') ? './shipped' : './skills', import.meta.url),
  );
