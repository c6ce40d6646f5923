import { defaultSettings } from '../session/settings.ts';
import type { Preferences } from './preferences.ts';
import type { ViewState } from './view.ts';

/** Whoever sits at this screen has a say in it first; where nobody said anything, whoever started the session. */
export const selectPreferences = ({ preferences, session }: ViewState): Preferences =>
  preferences ?? session?.settings.ui ?? defaultSettings.ui;
