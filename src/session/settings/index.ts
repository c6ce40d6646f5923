import { agentSettings } from './agents.ts';
import { changesSettings } from './changes.ts';
import { discoverySettings } from './discovery.ts';
import { flowSettings } from './flow.ts';
import { hostingSettings } from './hosting.ts';
import { knowledgeSettings } from './knowledge.ts';
import { limitSettings } from './limits.ts';
import { loopSettings } from './loop.ts';
import { observabilitySettings } from './observability.ts';
import { runnerSettings } from './runners.ts';
import type { Setting } from './setting.ts';
import { uiSettings } from './ui.ts';
import { workSettings } from './work.ts';

/** Every setting, in display order. The type `Settings` derives from this list. */
export const settingTable = [
  ...workSettings,
  ...knowledgeSettings,
  ...limitSettings,
  ...loopSettings,
  ...hostingSettings,
  ...changesSettings,
  ...agentSettings,
  ...runnerSettings,
  ...discoverySettings,
  ...flowSettings,
  ...observabilitySettings,
  ...uiSettings,
] as const;

/** The same list without the type of each value. */
export const allSettings: readonly Setting[] = settingTable;

const names: ReadonlySet<string> = new Set(allSettings.map(({ key }) => key));
const besideTheirHead: ReadonlySet<string> = new Set(
  [...names].filter((key) => key.includes('.') && names.has(key.split('.', 1)[0] ?? '')),
);

/** The steps to the value of a dotted key. One whose head has a value of its own (`permissions`) is a step as it is. */
export const settingSteps = (key: string): readonly string[] =>
  besideTheirHead.has(key) ? [key] : key.split('.');

/** The setting of a dotted key; `undefined` for an unknown key. */
export const findSetting = (key: string): Setting | undefined =>
  allSettings.find((setting) => setting.key === key);
