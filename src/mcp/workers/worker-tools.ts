import { z } from 'zod';
import { messageKinds } from '../../issues/team/message-policy.ts';
import { taskIdSchema } from '../../tasks/task.ts';
import { listQuestions } from '../outside/list-questions.ts';
import { sessionStatus } from '../outside/session-status.ts';
import { defineTool, type Tool } from '../tool.ts';
import { askPerson } from '../tools/ask-person.ts';
import { checkSignals } from '../tools/check-signals.ts';
import { stageKnowledge } from '../tools/stage-knowledge.ts';
import { taskGet } from '../tools/task-get.ts';
import { taskList } from '../tools/task-list.ts';
import { taskUpdate } from '../tools/task-update.ts';
import type { WorkerCalls } from './worker-calls.ts';

const taskClaim = defineTool({
  name: 'task_claim',
  description:
    'Takes a task of your role: the named one, else your own, else the first free one whose blockers are done. Waits a short time if there is none. Answers with the directory and the work, or with the reason: taken_by, blocked_by, busy, wrong_role. No message assigns a task.',
  input: z.strictObject({ task: taskIdSchema.optional() }),
  readOnly: false,
  run: (calls: WorkerCalls, { task }) => calls.claim(task ?? null),
});

const taskRelease = defineTool({
  name: 'task_release',
  description:
    'Gives your task back, with the reason. Another worker starts it again: nothing from your attempt is kept.',
  input: z.strictObject({ reason: z.string().trim().min(1).max(2_000) }),
  readOnly: false,
  run: (calls: WorkerCalls, { reason }) => calls.release(reason),
});

const sendMessage = defineTool({
  name: 'send_message',
  description:
    'Sends a message, in exceptional cases. escalation: a question to the person in charge. answer: to one worker that asked you. wake: once, for a worker that has had a task for 2 minutes and does nothing. Progress, results and assignments are not messages: task_update and task_claim carry them.',
  input: z.strictObject({
    kind: z.enum(messageKinds),
    to: z.string().min(1).max(200).optional().describe('answer and wake: the name of the worker'),
    message: z.string().trim().min(1).max(4_000),
  }),
  readOnly: false,
  run: (calls: WorkerCalls, { kind, to, message }) => calls.message({ kind, to: to ?? null, text: message }),
});

/** A tool of the work in hand, performed by the program that runs the session. */
const onWork = (tool: Pick<Tool, 'name' | 'description' | 'input' | 'readOnly'>): Tool<WorkerCalls> => ({
  name: tool.name,
  description: tool.description,
  input: tool.input,
  readOnly: tool.readOnly,
  call: (calls, input) => calls.onWork(tool.name, input),
});

/** Every tool for a worker of another program, in the order it sees them. Each role has the same: documents are handed in, and git and the tracker are the program's. */
export const workerTools: readonly Tool<WorkerCalls>[] = [
  checkSignals,
  taskClaim,
  taskGet,
  taskList,
  onWork(taskUpdate),
  onWork(askPerson),
  onWork(stageKnowledge),
  taskRelease,
  sendMessage,
  sessionStatus,
  listQuestions,
];
