import { loadedBy } from '../loaded-files.ts';
import { type AgentProfile, unknownAgent } from './profile.ts';

/** Codex over codex-acp 2.6.0. Its mode `workspace-write` edits without asking, so this profile uses `read-only`, in which it asks. */
export const codex: AgentProfile = {
  ...unknownAgent,
  name: 'codex',
  label: 'Codex',
  command: ['codex-acp'],
  install: { command: 'npm install -g @agentclientprotocol/codex-acp@2.6.0', megabytes: 457 },
  passEnv: ['CODEX_*', 'OPENAI_*'],
  // With its instant interrupt a steering message cuts the reply.
  jsonEnv: { CODEX_CONFIG: { features: { instant_interrupt: false } } },
  ownCli: { program: 'codex', variable: 'CODEX_PATH' },
  printMode: {
    output: 'codex',
    // Without a repository it would refuse; this program has its own question of trust.
    args: ['exec', '--json', '--skip-git-repo-check', '--sandbox'],
    allows: {
      ask: ['read-only', '-'],
      edits: ['workspace-write', '-'],
      workspace: ['workspace-write', '-'],
      all: ['danger-full-access', '-'],
    },
  },
  askingMode: 'read-only',
  steers: true,
  keepsCancelled: true,
  resume: 'load',
  takesTitle: true,
  manySessions: true,
  readsAtStart: ['.codex/config.toml'],
  // The adapter brings the CLI: a `codex` on the PATH need not exist.
  resumeCommand: 'codex-acp cli resume {session}',
  login: 'codex-acp cli login',
  lacksLogin: /^Missing environment variable: `\w+`\.?$/u,
  loads: loadedBy('codex'),
  unenforced: 'commands in its own read-only sandbox',
};
