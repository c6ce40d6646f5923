import type { Tool } from '../tool.ts';
import { askPerson } from './ask-person.ts';
import { checkSignals } from './check-signals.ts';
import { stageKnowledge } from './stage-knowledge.ts';
import { taskGet } from './task-get.ts';
import { taskList } from './task-list.ts';
import { taskUpdate } from './task-update.ts';

/** Every tool for agents, in the order they see them. */
export const tools: readonly Tool[] = [
  checkSignals,
  taskGet,
  taskList,
  taskUpdate,
  askPerson,
  stageKnowledge,
];
