import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatFault } from '../base/fault.ts';
import { readText } from '../base/replace-file.ts';
import { safe } from '../base/safe.ts';
import { discover } from '../discovery/discover.ts';
import { readWorkspace } from '../discovery/read-workspace.ts';
import type { Offers, PlanOffer } from '../store/setting-out.ts';
import { parsePlan } from '../tasks/plan-file.ts';
import type { World } from './world.ts';

/** Where plans are looked for first, in this order. */
const usualPlans = ['plan.yaml', 'plan.yml', 'plan.json', '.ralph/plan.yaml'];

/** `plan2.yaml`, `release.plan.yml`: names that tell. */
const toldByName = /^(?:plan(?![a-z]).*|.+\.plan)\.ya?ml$/;

/** As many as the start screen has room for. */
const mostPlans = 6;

/** The plans of a workspace: those of the usual names, then others in its top folder whose names tell and that have tasks. */
export const planFilesIn = (world: World, workspace: string): readonly string[] => {
  const usual = usualPlans.filter((file) => existsSync(join(workspace, file)));
  const others = namesIn(world, workspace)
    .filter((file) => toldByName.test(file) && !usual.includes(file) && safe(file) === file)
    .sort();
  const found = [...usual];
  for (const file of others) {
    if (found.length >= mostPlans) break;
    if (/^tasks\s*:/m.test(textOf(world, workspace, file))) found.push(file);
  }
  return found;
};

const namesIn = (world: World, workspace: string): readonly string[] => {
  try {
    return world.disk.readdir(workspace);
  } catch {
    return [];
  }
};

/** What cannot be read is no plan. */
const textOf = (world: World, workspace: string, file: string): string => {
  try {
    return readText(world.disk, join(workspace, file)) ?? '';
  } catch {
    return '';
  }
};

/** What one could start in a workspace. Only looked for: nothing runs. */
export const findOffers = (world: World, workspace: string): Offers => {
  const checks = discover(readWorkspace(world.disk, workspace));
  return {
    workspace: safe(workspace),
    agents: [
      'script: runs the commands of plans, nothing else',
      'model agents are not built in yet: a goal in words needs one',
    ],
    plans: planFilesIn(world, workspace).map((file) => offerOf(world, workspace, file)),
    checks: checks ? { goal: safe(world.redact(checks.goal)) } : null,
  };
};

const offerOf = (world: World, workspace: string, file: string): PlanOffer => {
  try {
    const plan = parsePlan(readText(world.disk, join(workspace, file)) ?? '', file);
    if (plan.ok) return { file, goal: safe(world.redact(plan.value.goal)), problem: null };
    const [first] = plan.faults;
    return { file, goal: '', problem: safe(first ? world.redact(formatFault(first)) : 'it cannot be read') };
  } catch (error) {
    return { file, goal: '', problem: safe(`it cannot be read: ${String(error)}`) };
  }
};
