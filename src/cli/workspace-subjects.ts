import { join } from 'node:path';
import { readText } from '../base/replace-file.ts';
import { layerOfPlan } from '../session/config.ts';
import { parsePlan } from '../tasks/plan-file.ts';
import type { Cli } from './cli.ts';
import { discoverChecks } from './discover-plan.ts';
import { planFilesIn } from './find-offers.ts';
import { findLayers } from './load-settings.ts';
import { configSubject, planSubject, type Subject } from './trust-subjects.ts';
import type { World } from './world.ts';

/** Everything in a workspace that is asked about before it runs; what cannot be read is left out, a start says what is wrong with it. */
export const workspaceSubjects = (cli: Cli, world: World, workspace: string): readonly Subject[] => {
  const config = configSubject(findLayers(cli, world, { workspace, attended: false }).layers);
  return [
    ...planFilesIn(world, workspace).flatMap((file) => attempt(() => readPlan(world, workspace, file))),
    ...attempt(() => [discoverChecks(world.disk, workspace).subject]),
    ...(config ? [config] : []),
  ];
};

const readPlan = (world: World, workspace: string, file: string): readonly Subject[] => {
  const text = readText(world.disk, join(workspace, file));
  const plan = text === null ? null : parsePlan(text, file);
  if (text === null || !plan?.ok) return [];
  const layer = layerOfPlan(plan.value, file);
  return [planSubject(workspace, file, text, plan.value, layer.ok ? [layer.value] : [])];
};

const attempt = (read: () => readonly Subject[]): readonly Subject[] => {
  try {
    return read();
  } catch {
    return [];
  }
};
