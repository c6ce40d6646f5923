import { loadedBy } from '../loaded-files.ts';
import { type AgentProfile, unknownAgent } from './profile.ts';

/**
 * Qwen Code 0.24.4. It keeps the tools of servers behind a search of its own, and asks the model beside the conversation for memories and suggestions
 * unless its settings say otherwise (`memory.enableManagedAutoMemory`, `ui.enableFollowupSuggestions`).
 */
export const qwen: AgentProfile = {
  ...unknownAgent,
  name: 'qwen',
  label: 'Qwen Code',
  command: ['qwen', '--acp'],
  install: {
    command: 'npm install -g --omit=optional --ignore-scripts @qwen-code/qwen-code@0.24.4',
    megabytes: 123,
  },
  passEnv: ['QWEN_*', 'OPENAI_*', 'DASHSCOPE_*'],
  askingMode: 'default',
  secondPrompt: 'cancels',
  pullsWith: 'craft/drainMidTurnQueue',
  listsToolsLate: true,
  keepsCancelled: true,
  resume: 'load',
  closesWith: 'qwen/control/session/close',
  manySessions: true,
  readsAtStart: ['.qwen/settings.json', '.qwen/.env', '.env'],
  resumeCommand: 'qwen --resume {session}',
  login: 'qwen',
  ownTool: { name: 'mcp__ralph__{tool}' },
  loads: loadedBy('qwen'),
  unenforced: 'commands that only read',
};
