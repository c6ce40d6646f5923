import type { Settings } from '../../src/session/settings.ts';

/** A person's preferences for the screen (`ui.*`): keys, colours, signs, mouse, and the way to be called. */
export type Preferences = Settings['ui'];
