import type { Tool } from '../tool.ts';
import { checkSignals } from '../tools/check-signals.ts';
import { taskGet } from '../tools/task-get.ts';
import { taskList } from '../tools/task-list.ts';
import { answerQuestion } from './answer-question.ts';
import { listQuestions } from './list-questions.ts';
import type { OutsideCalls } from './outside-calls.ts';
import { sendSignal } from './send-signal.ts';
import { sessionStatus } from './session-status.ts';
import { workOn } from './work-on.ts';

/** What every agent of another program may look at. */
const reading: readonly Tool<OutsideCalls>[] = [
  checkSignals,
  sessionStatus,
  taskList,
  taskGet,
  listQuestions,
];

/** For an agent that works in a role of the session: it steers nobody. */
export const roleTools: readonly Tool<OutsideCalls>[] = [...reading, workOn];

/** For a program that watches and steers the session. */
export const watcherTools: readonly Tool<OutsideCalls>[] = [...reading, sendSignal, answerQuestion];
