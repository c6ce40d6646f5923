import type { Brief, Message } from '../../port.ts';
import { taskParts } from './executor.ts';
import { messageParts, prompt, sessionPart } from './prompt.ts';

export const planPrompt = (brief: Brief, messages: readonly Message[]): string =>
  prompt(
    duties[brief.mode] ?? 'You are the Planner.',
    [
      sessionPart(brief),
      ...(brief.task ? taskParts(brief.task) : []),
      [
        'Tasks as they stand',
        brief.tasks.map((task) => `${task.definition.id}: ${task.status}, ${task.definition.title}`),
      ],
      ...messageParts(messages),
    ],
    brief.mode === 'INITIALIZE' ? initialContract : planContract,
  );

const duties: Readonly<Partial<Record<Brief['mode'], string>>> = {
  INITIALIZE:
    'You are the Planner. Look at the workspace and say in a few lines how you would reach the goal.',
  TASK_BREAKDOWN:
    'You are the Planner. Cut the goal into tasks that one agent can do and another can check, with the edges that are really needed.',
  UPDATE:
    'You are the Planner. Read the feedback of this iteration and say what changes in the plan, and why.',
  REBREAKDOWN:
    'You are the Planner. Define the tasks of this iteration: what is unfinished, what the feedback re-opens, what is new.',
  REBREAKDOWN_TASK:
    'You are the Planner. Rewrite this task under its own id, or cut it into 2 to 4 smaller ones with new ids.',
};

const initialContract = '{"approach": ["…"]}';
const planContract = `{"approach": ["…"], "notes": ["why"], "tasks": [{"id": "letters, digits, _ . -", "iteration": 1, "title": "…", "objective": "…", "blockedBy": [],
 "files": [], "criteria": [], "run": [], "verify": [], "on_steer": null, "type": "Parallelizable | Sequential", "role": "executor", "replaced_by": [], "grounded_in": "", "notes": ""}]}`;
