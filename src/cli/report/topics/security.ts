import type { Topic } from './topic.ts';

/** The program's promises about trust, secrets and processes, and their limits. */
export const security: Topic = {
  name: 'security',
  summary: 'promises about trust, secrets and processes, and their limits',
  sections: () => [
    {
      kind: 'text',
      text: 'Promised, each with the test that shows it (in `test/e2e` unless said otherwise):',
    },
    { kind: 'list', items: promised },
    { kind: 'text', text: 'Not promised:' },
    { kind: 'list', items: notPromised },
  ],
};

const promised: readonly string[] = [
  'Nothing from a repository runs until you have seen it and said yes (`trust.test.ts`). This covers plans, discovered checks with the scripts behind them, settings that make something run or widen what may be done, and sessions that were started elsewhere. The question shows every command in all its lines. The answer holds for these bytes in this workspace; changed content is asked about again. `--headless`, `--json` and `--background` end with exit 3 instead; `--yes` is an answer and is remembered. `ralph-tui doctor` lists what is trusted, `ralph-tui config distrust` takes it back.',
  'What an agent would load from the repository by itself (`AGENTS.md`, `.mcp.json`, settings and hooks of agents, `.ralph/prompts/`) is shown and asked about before its first start (`trust.test.ts`, `test/cli/agent-subjects.test.ts`). What it changes in control files (`.ralph/`, `.git/config`, `.git/hooks`, settings of agents) is brought back after its turn, in a conversation with a skill too, and the other text is kept (`test/engine/control-files.test.ts`, `test/cli/skill-guards.test.ts`).',
  'Text that files or agents wrote stands in prompts between lines with a random word (`test/agents/prompts.test.ts`). Our tools for agents listen on loopback, with a token for each worker that dies with it; foreign hosts, origins and large bodies are refused (`test/mcp/tool-server.test.ts`).',
  'A permission request of an agent is judged by its own fields (`test/agents/acp/evil-requests.test.ts`, which tries 75 under each preset, and `test/real-agents/lying-calls.test.ts`): its kind, every file and the directory by what links lead to. No earlier call with the same id and no argument lends it anything. The session, `.git`, `.ralph` and the files that agents load are asked about under every preset but `all`. The question shows the whole command; what an agent shows only in part can be allowed once.',
  'One message of an agent cannot end the program or the work of another (`test/agents/acp/wire-faults.test.ts`): beyond 32 MB or 200 levels of brackets its own turn fails.',
  'A command gets only listed environment variables (`environment.test.ts`): what programs need to find their way (`PATH`, `HOME`, locale, proxies, `XDG_*`), what the plan or the agent names, and `RALPH_*`. A plan that sets a variable which makes other programs run code (`LD_PRELOAD`, `NODE_OPTIONS`, `GIT_SSH_COMMAND`) is refused.',
  'Secrets stay out of what we write and show (`secrets.test.ts`, `test/base/redact.test.ts`, `test/page/planted-recordings.test.ts`, `test/engine/logs.test.ts`): values of variables named like secrets, also under `agents.<name>.env`, the tokens of our tools, `sk-…`, `ghp_…`, `AKIA…`, `Bearer …`, passwords in addresses and headers, web tokens and private keys, also coloured or printed in pieces. `[redacted]` stands in their place.',
  'Our files are yours alone (`private-files.test.ts`): 0700 and 0600 under any umask. A session directory or mailbox that others may write to, or that is a link, is refused. Nothing is written through links.',
  'Text from outside never steers your terminal (`hostile.test.ts`, `hostile-execution.test.ts`, `test/base/safe.test.ts`): the screen writes the only escape sequences.',
  'A signal is a plain file of at most 16 KiB, read without following links (`hostile-mailbox.test.ts`, `test/signals/mailbox-hostile.test.ts`). Unusable files are rejected with the reason beside them.',
  'What decides counts from a file only when a person sent it (`test/engine/proof.test.ts`, `test/cli/signal-proof.test.ts`, `review.test.ts`): approving or replacing a plan, knowledge, reviews, merges, RETRY, CANCEL, SET, and RESUME of your hold. Keys and commands of this program write a record outside the workspace; a child of an agent gets none. A file without it stays in the mailbox and is asked about (`y` on the screen, `ralph-tui signals confirm ID`; exit 3 without one). PAUSE, ABORT and DRAIN always count. INFO and STEER without it reach agents as data, never as your orders. Where only commands work, and with `signals.unproven: accept`, every file counts.',
  "The progress list and `metadata.yaml` are the engine's while an agent with a model works: another text is put back and kept, and the one agent at work has failed (`test/engine/forged-progress.test.ts`).",
  "When an agent's work ends, processes with its marker are stopped and doubtful ones are named. What git would run (hooks, configuration, attributes) is compared with the state before that work until its commit (`test/engine/after-the-turn.test.ts`). Commits, pushes, a moved HEAD, rewritten branches and a deleted `.git` are reported; a merge of 100 MB and more is asked about (`test/engine/in-the-worktree.test.ts`).",
  'ABORT stops the processes of every agent and verifies that they are gone (`keys.test.ts`, `terminal-gone.test.ts`). Where that cannot be shown, the processes are named.',
];

const notPromised: readonly string[] = [
  'A sandbox. What you trusted runs as you, with your rights. What a command does that an agent was allowed to run is not seen: one that names `.git` or removes the workspace in plain words is asked about, and a shell can hide both. The question shows the commands, not the code that they start.',
  'Secrets that a plan must contain to run stay in the session as written: `plan.source.yaml`, task files, and a signal until it is taken. A secret that neither its name nor its form reveals is not recognised.',
  'Protection from programs that run as you. With a shell they can write into the session directory, and also the record that a person sent a file. A process that sheds its environment and its parent is named, not stopped.',
];
