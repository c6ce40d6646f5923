import type { Settings } from '../session/settings.ts';

/** How a person wants the screen (`ui.*`): keys, colours, signs, mouse, and how to be called. */
export type Preferences = Settings['ui'];
