import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentOffer, Offers, PlanOffer } from '../../../components/start/start-list.ts';
import { formatFault } from '../../base/fault.ts';
import { readText } from '../../base/replace-file.ts';
import { safe } from '../../base/safe.ts';
import { checkTitles } from '../../discovery/checks/discover.ts';
import { readWorkspace } from '../../discovery/checks/read-workspace.ts';
import { parsePlan } from '../../tasks/plan-file.ts';
import type { World } from '../world.ts';

/** The usual plan files, in this order. */
const usualPlans = ['plan.yaml', 'plan.yml', 'plan.json', '.ralph/plan.yaml'];

/** `plan2.yaml`, `release.plan.yml`: names that suggest a plan. */
const toldByName = /^(?:plan(?![a-z]).*|.+\.plan)\.ya?ml$/;

/** The start screen has room for this many. */
const mostPlans = 6;

/**
 * The plans of a workspace: the usual names first, then other files in its top folder that are named like a
 * plan and have tasks.
 */
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

/** An unreadable file is no plan. */
const textOf = (world: World, workspace: string, file: string): string => {
  try {
    return readText(world.disk, join(workspace, file)) ?? '';
  } catch {
    return '';
  }
};

/** Finds everything that could be started in a workspace; runs nothing. */
export const findOffers = (world: World, workspace: string, agents: readonly AgentOffer[] = []): Offers => {
  const checks = checkTitles(readWorkspace(world.disk, workspace));
  return {
    workspace: safe(workspace),
    agents,
    plans: planFilesIn(world, workspace).map((file) => offerOf(world, workspace, file)),
    checks: checks.length > 0 ? { commands: checks.map((title) => safe(world.redact(title))) } : null,
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
