import { loadedBy } from '../loaded-files.ts';
import { type AgentProfile, unknownAgent } from './profile.ts';

/** Gemini CLI 0.61.0. Its `session/load` fails after a restart, so a new session gets a summary. */
export const gemini: AgentProfile = {
  ...unknownAgent,
  name: 'gemini',
  label: 'Gemini CLI',
  command: ['gemini', '--acp'],
  install: {
    command: 'npm install -g --omit=optional --ignore-scripts @google/gemini-cli@0.61.0',
    megabytes: 96,
  },
  passEnv: ['GEMINI_*', 'GOOGLE_*'],
  // In a folder that its own memory does not trust, such as each new worktree, it drops our tools without a word. Before its first start the person
  // has agreed to everything it loads from the repository, which is what folder trust guards.
  envDefaults: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  // Without it the CLI relaunches itself, and the process we started is only the agent's parent.
  env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
  askingMode: 'default',
  secondPrompt: 'cancels',
  // With an aborted stream it takes its whole turn out of the conversation, the prompt included.
  keepsCancelled: false,
  manySessions: true,
  readsAtStart: ['.gemini/settings.json', '.gemini/.env', '.env'],
  resumeCommand: 'gemini --resume {session}',
  login: 'gemini',
  ownTool: { id: 'mcp_ralph_{tool}__', title: '{tool} (ralph MCP Server)' },
  // Its shell tool shows the command and nothing else (615 characters were seen whole).
  titleIsCommand: true,
  loads: loadedBy('gemini'),
  unenforced: 'commands that it considers harmless, such as `echo`',
};
