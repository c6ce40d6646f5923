import { join } from 'node:path';
import { readText } from '../../base/replace-file.ts';
import { layerOfPlan, resolveSettings } from '../../session/config.ts';
import { parsePlan } from '../../tasks/plan-file.ts';
import type { Cli } from '../cli.ts';
import { planFilesIn } from '../session/find-offers.ts';
import { findLayers } from '../settings/load-settings.ts';
import type { World } from '../world.ts';
import { agentSubjects } from './agent-subjects.ts';
import { discoverChecks } from './discover-checks.ts';
import { configSubject, planSubject, type Subject } from './trust-subjects.ts';

/** Everything in a workspace that needs consent before it runs. Leaves out unreadable files; a start reports their faults. */
export const workspaceSubjects = (cli: Cli, world: World, workspace: string): readonly Subject[] => {
  const { layers } = findLayers(cli, world, { workspace, attended: false });
  const config = configSubject(layers);
  return [
    ...planFilesIn(world, workspace).flatMap((file) => attempt(() => readPlan(world, workspace, file))),
    ...attempt(() => [discoverChecks(world.disk, workspace, cli.env['PATH']).subject]),
    ...(config ? [config] : []),
    ...attempt(() => agentSubjects(world, workspace, resolveSettings(layers).settings)),
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
