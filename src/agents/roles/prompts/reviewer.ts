import type { TaskDefinition } from '../../../tasks/task.ts';
import type { Brief, Message } from '../../port.ts';
import { taskParts } from './executor.ts';
import { messageParts, prompt, sessionPart } from './prompt.ts';

export const reviewPrompt = (brief: Brief, task: TaskDefinition, messages: readonly Message[]): string =>
  prompt(
    `You are the Reviewer. Judge attempt ${brief.attempt ?? 1} of this task by what you see yourself: run the verification, open the files, change nothing.`,
    [
      sessionPart(brief),
      ...taskParts(task),
      ['Files the attempt changed', brief.changed ?? []],
      ...messageParts(messages),
    ],
    `{"verdict": "Qualified | Failed", "summary": [], "criteria": [{"criterion": "…", "status": "met | not met | not checked", "evidence": "…"}],
 "issues": [], "actions": ["what you ran or opened"], "reasoning": "…", "feedback": "what the next attempt must do", "steers": []}`,
  );

export const commitPrompt = (task: TaskDefinition, files: readonly string[]): string =>
  prompt(
    'You are the Reviewer. Commit the files of this qualified task and nothing else; let the hooks of the repository run.',
    [
      [`Task ${task.id}`, task.title],
      ['Files', files],
    ],
    '{"status": "success | failed | skipped", "commit": "hash", "detail": "…", "files": [], "unattributed": []}',
  );

export const sessionReviewPrompt = (brief: Brief): string =>
  prompt(
    'You are the Reviewer. Judge the iteration as a whole: is the goal reached, what is missing?',
    [
      sessionPart(brief),
      [
        'Tasks',
        brief.tasks.map(
          (task) =>
            `${task.definition.id}: ${task.status}, ${task.attempts} attempts${task.reason ? `, ${task.reason}` : ''}`,
        ),
      ],
      ...messageParts(brief.messages),
    ],
    `{"assessment": "…", "goals_achieved": true, "gaps": [], "results": [{"task": "id", "status": "…", "evidence": "…"}], "next_action": "…"}`,
  );
