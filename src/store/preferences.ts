import { defaultSettings, type Settings } from '../session/settings.ts';
import type { ViewState } from './view.ts';

/** How a person wants the screen (`ui.*`): keys, colours, signs, mouse, and how to be called. */
export type Preferences = Settings['ui'];

/** Whoever sits at this screen has a say in it first; where nobody said anything, whoever started the session. */
export const selectPreferences = ({ preferences, session }: ViewState): Preferences =>
  preferences ?? session?.settings.ui ?? defaultSettings.ui;
