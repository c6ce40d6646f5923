import { defaultSettings } from '../../src/session/settings.ts';
import type { ViewState } from '../view.ts';
import type { Preferences } from './preferences.ts';

/** The preferences of the person at this screen come first, then those of the session. */
export const selectPreferences = ({ preferences, session }: ViewState): Preferences =>
  preferences ?? session?.settings.ui ?? defaultSettings.ui;
