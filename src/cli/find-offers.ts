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

/** Where plans are looked for, in this order. */
export const planFiles = ['plan.yaml', 'plan.yml', 'plan.json', '.ralph/plan.yaml'];

/** What one could start in a workspace. Only looked for: nothing runs. */
export const findOffers = (world: World, workspace: string): Offers => {
  const checks = discover(readWorkspace(world.disk, workspace));
  return {
    workspace: safe(workspace),
    agents: [
      'script: runs the commands of plans, nothing else',
      'model agents are not built in yet: a goal in words needs one',
    ],
    plans: planFiles
      .filter((file) => existsSync(join(workspace, file)))
      .map((file) => offerOf(world, workspace, file)),
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
