import { loadedBy } from '../loaded-files.ts';
import { type AgentProfile, unknownAgent } from './profile.ts';

/** Claude Code over claude-agent-acp 0.100.0. Its SDK puts the headers of MCP servers into arguments, where every account reads them. */
export const claude: AgentProfile = {
  ...unknownAgent,
  name: 'claude',
  label: 'Claude Code',
  command: ['claude-agent-acp'],
  install: { command: 'npm install -g @agentclientprotocol/claude-agent-acp@0.100.0', megabytes: 391 },
  passEnv: ['ANTHROPIC_*', 'CLAUDE_*'],
  passWith: {
    CLAUDE_CODE_USE_BEDROCK: ['AWS_*'],
    CLAUDE_CODE_USE_VERTEX: ['GOOGLE_*', 'GCLOUD_PROJECT', 'CLOUD_ML_REGION', 'CLOUDSDK_*', 'VERTEX_*'],
    CLAUDE_CODE_USE_FOUNDRY: ['AZURE_*'],
  },
  // Else it asks the model after each turn what a person might say next.
  env: { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false' },
  ownCli: { program: 'claude', variable: 'CLAUDE_CODE_EXECUTABLE' },
  printMode: {
    output: 'claude',
    args: ['-p', '--output-format', 'stream-json', '--verbose', '--permission-mode'],
    allows: {
      ask: ['default'],
      edits: ['acceptEdits'],
      workspace: ['acceptEdits'],
      all: ['bypassPermissions'],
    },
  },
  askingMode: 'default',
  secondPrompt: 'injects',
  steers: true,
  steering: 'cuts',
  expandsHeaders: true,
  keepsCancelled: true,
  resume: 'load',
  // Its program is started for each session, with the variables of that session.
  sessionOptions: 'claudeCode',
  manySessions: true,
  // The adapter brings the CLI: a `claude` on the PATH need not exist.
  resumeCommand: 'claude-agent-acp --cli --resume {session}',
  login: 'claude-agent-acp --cli auth login',
  ownTool: { name: 'mcp__ralph__{tool}' },
  loads: loadedBy('claude'),
  reportsCost: true,
  unenforced: 'what your own allow rules in `~/.claude` permit, and commands that only read',
};
