import { readText } from '../../../base/replace-file.ts';
import { sessionPaths } from '../../../session/paths.ts';
import { parsePlan } from '../../../tasks/plan-file.ts';
import type { PlanAnswer } from '../../answers.ts';
import { answered, type ScriptTurn } from './script-turn.ts';

/** INITIALIZE: reports which files a person already provided, so that they are not written again. */
export const initialize: ScriptTurn = async ({ brief, disk }) => {
  const paths = sessionPaths(brief.workspace, brief.session);
  return answered({
    instructions_exist: disk.lstat(paths.instructions) !== null,
    plan_exists: disk.lstat(paths.iteration(brief.iteration).plan) !== null,
    approach: ['Run the commands of the plan, wave by wave; check each task with its verify commands.'],
  });
};

/** TASK_BREAKDOWN: the tasks of the session's initial plan. */
export const breakdown: ScriptTurn = async ({ brief, disk }) => {
  const file = planSource(brief.sessionDirectory);
  const text = readText(disk, file);
  if (text === null) {
    return {
      kind: 'failed',
      fault: {
        code: 'no-plan',
        what: 'there is no plan to break down',
        where: file,
        hint: 'start the session with --plan FILE, or assign the Planner role to an agent',
      },
    };
  }
  const plan = parsePlan(text, file, brief.iteration);
  if (!plan.ok) {
    const [first] = plan.faults;
    return {
      kind: 'failed',
      fault: first ?? { code: 'plan-invalid', what: 'the plan cannot be read', where: file },
    };
  }
  const answer: PlanAnswer = {
    approach: [
      `Do the ${plan.value.tasks.length} tasks of the plan in the order of their dependencies, with the tasks of each wave in parallel.`,
      'Check each with its verify commands and its declared files.',
    ],
    notes: [],
    tasks: plan.value.tasks,
    plan: null,
  };
  return answered(answer);
};

/** The path where the CLI stores a session's initial plan. */
export const planSource = (sessionDirectory: string): string => `${sessionDirectory}/plan.source.yaml`;
