import type { TaskDefinition } from '../../../tasks/task.ts';
import { commandText } from '../../command-text.ts';
import type { Brief, Message } from '../../port.ts';
import { messageParts, type Part, prompt, sessionPart } from './prompt.ts';

export const implementPrompt = (brief: Brief, task: TaskDefinition, messages: readonly Message[]): string =>
  prompt(
    `You are the Executor. Do this one task in the workspace, no more and no less, and check it yourself. Attempt ${brief.attempt ?? 1}.`,
    [sessionPart(brief), ...taskParts(task), ...messageParts(messages)],
    `{"status": "completed | failed | blocked", "summary": ["what you changed and why"], "files_modified": ["path"],
 "criteria": [{"criterion": "…", "status": "met | not met | not checked", "evidence": "…"}], "verification": ["what you ran and how it ended"],
 "feedback_addressed": [], "discovered_tasks": [], "blockers": [], "steers": [{"id", "text", "verdict", "evidence", "action"}], "escalation": "only when redefined"}`,
  );

/** A task as every role reads it. */
export const taskParts = (task: TaskDefinition): readonly Part[] => [
  [`Task ${task.id}: ${task.title}`, task.objective],
  ['Files it changes', task.files],
  ['Success criteria', task.criteria],
  ['Grounded in', task.grounded_in],
  ['Commands given with it', task.run.map(commandText)],
  ['Commands that verify it', task.verify.map(commandText)],
  ['Notes', task.notes],
];
