import { loadedBy } from '../loaded-files.ts';
import { toolNames } from '../tools.ts';
import { type AgentProfile, unknownAgent } from './profile.ts';

/**
 * opencode 1.18.33. It has no mode in which it asks, and by itself asks for nothing: a variable of its configuration, which goes above the
 * repository's, makes it ask. Its shells are in groups of their own, so the group's end leaves them; the search for the marker finds them.
 */
export const opencode: AgentProfile = {
  ...unknownAgent,
  name: 'opencode',
  label: 'opencode',
  command: ['opencode', 'acp'],
  install: { command: 'npm install -g opencode-ai@1.18.33', megabytes: 354 },
  passEnv: [
    'OPENCODE_*',
    'ANTHROPIC_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'OPENAI_API_KEY',
    'OPENROUTER_API_KEY',
  ],
  jsonEnv: {
    // Else it asks its model for a title of each session.
    OPENCODE_CONFIG_CONTENT: { agent: { title: { disable: true } } },
    OPENCODE_PERMISSION: {
      '*': 'ask',
      bash: 'ask',
      doom_loop: 'ask',
      edit: 'ask',
      external_directory: 'ask',
      webfetch: 'ask',
      websearch: 'ask',
      glob: 'allow',
      grep: 'allow',
      list: 'allow',
      lsp: 'allow',
      read: 'allow',
      skill: 'allow',
      // Its sub-agents ask as it does.
      task: 'allow',
      todoread: 'allow',
      todowrite: 'allow',
      ...Object.fromEntries(toolNames.map((tool) => [`ralph_${tool}`, 'allow'])),
    },
  },
  secondPrompt: 'injects',
  keepsCancelled: true,
  resume: 'load',
  manySessions: true,
  readsAtStart: ['opencode.json', 'opencode.jsonc', '.opencode'],
  resumeCommand: 'opencode --session {session}',
  login: 'opencode auth login',
  loads: loadedBy('opencode'),
  reportsCost: true,
  unenforced: 'what the `permission` of one of its own agents allows',
};
