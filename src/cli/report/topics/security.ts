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
  'Nothing from a repository runs until you have seen it and said yes (`trust.test.ts`). This covers plans, discovered checks with the scripts behind them, settings that run something or widen permissions, sessions that were started elsewhere, and the plan and the instructions beside a session when they changed since. The question shows every line of every command. The answer applies to exactly this content in this workspace; if it changes, you are asked again. With `--headless`, `--json` or `--background`, the program exits with 3 instead; `--yes` counts as an answer and is remembered. `ralph-tui doctor` lists what is trusted, and `ralph-tui config distrust` withdraws that trust.',
  'Before an agent first starts, you are shown the files that it would load from the repository on its own (`AGENTS.md`, `.mcp.json`, settings and hooks of agents, `.ralph/prompts/`), and asked whether to accept them (`trust.test.ts`, `test/cli/agent-subjects.test.ts`). Control files that it changes (`.ralph/`, `.git/config`, `.git/hooks`, settings of agents) are restored after its turn, including in a conversation with a skill, and the changed text is kept (`test/engine/control-files.test.ts`, `test/cli/skill-guards.test.ts`).',
  'In prompts, text from files or agents is enclosed by lines that contain a random word (`test/agents/prompts.test.ts`). Our tools for agents listen on loopback, with a token for each worker, which expires with the worker; foreign hosts, origins and large bodies are refused, and silent connections are closed (`test/mcp/tool-server.test.ts`).',
  "An agent's permission request is judged only by its own fields (`test/agents/acp/evil-requests.test.ts`, which tries 86 requests under each preset, and `test/real-agents/lying-calls.test.ts`): its kind, and its files and directory after links are resolved. Neither an earlier call with the same id nor an argument adds any trust, and a request with arguments that this program does not know is asked about. Under every preset but `all`, you are asked before an agent touches the session, `.git`, `.ralph` or the files that agents load. The question shows the whole command; a command that the agent shows only in part can be allowed only once.",
  'A message from one agent cannot end the program or the work of another agent (`test/agents/acp/wire-faults.test.ts`): beyond 32 MB or 200 levels of nesting, only its own turn fails.',
  'What this program starts itself (git, ssh, gh, an editor, an agent) is found by absolute entries of the `PATH` outside the repository (`test/base/own-program.test.ts`): `node_modules/.bin` replaces none of it.',
  "A command gets only listed environment variables (`environment.test.ts`): those that programs usually need (`PATH`, `HOME`, locale, proxies, `XDG_*`), those that the plan or the agent's entry names, and `RALPH_*`; `verify` also gets `CI=true`. A name in braces behind a dollar sign in `env` of your plan is a variable of yours, which the question about the plan shows; in a plan of a model it stays text (`test/agents/script-variables.test.ts`). A plan that sets a variable that makes other programs run code (`LD_PRELOAD`, `NODE_OPTIONS`, `GIT_SSH_COMMAND`) is refused. Our own git and `gh` also get what your environment says about git (`GIT_SSH_COMMAND`, `GIT_ASKPASS`, `GIT_CONFIG_COUNT`, your name), and our push gets all of it, because a helper of git may read any of it (`test/base/git-environment.test.ts`).",
  'Secrets stay out of what we write and show (`secrets.test.ts`, `test/base/redact.test.ts`, `test/page/planted-recordings.test.ts`, `test/engine/logs.test.ts`): values of variables named like secrets, including those under `agents.<name>.env`, the tokens of our tools, `sk-…`, `ghp_…`, `AKIA…`, `Bearer …`, passwords in addresses and headers, web tokens and private keys, even when coloured or printed in pieces. `[redacted]` takes their place. What an agent is asked is never redacted. Ordinary words are no secrets whatever variable holds them (`test/base/ordinary-value.test.ts`): `postgres`, `production`, `changeme`, a path.',
  'Only you can access our files (`private-files.test.ts`): 0700 and 0600 under any umask. A session directory or mailbox that others can write to, or that is a link, is refused. Nothing is written through links.',
  'Text from outside never controls your terminal (`hostile.test.ts`, `hostile-execution.test.ts`, `test/base/safe.test.ts`): only the screen writes escape sequences, and `--json` prints them as JSON escapes.',
  'A signal is a plain file of at most 16 KiB, read without following links (`hostile-mailbox.test.ts`, `test/signals/mailbox-hostile.test.ts`). Unusable files are rejected with the reason beside them.',
  'A decision in a file counts only with proof that a person sent it (`test/engine/proof.test.ts`, `test/cli/signal-proof.test.ts`, `review.test.ts`): approving or replacing a plan, knowledge, reviews, merges, RETRY, CANCEL, UNDO, REDO, SET, and RESUME of your hold. Keys and commands of this program write a record outside the workspace; a child process of an agent gets none. A record proves one use: a signal that was handled, withdrawn or rejected does not count when its file is put back. A file without that record stays in the mailbox until you confirm it (`y` on the screen, or `ralph-tui signals confirm ID`; exit 3 without a screen). PAUSE, ABORT and DRAIN always count. INFO and STEER without that record reach agents as data, never as your orders. Where only commands do the work, or with `signals.unproven: accept`, every file counts.',
  'The progress list and `metadata.yaml` belong to the engine while a model agent works: the engine restores its own text and keeps the changed text, and if only one agent was working, its attempt fails (`test/engine/forged-progress.test.ts`).',
  "When an agent's work ends, processes with its marker are stopped, and those that may not be its own are listed. Before its commit, everything that git would run (hooks, configuration, attributes) is compared with the state before that work (`test/engine/after-the-turn.test.ts`). Commits, pushes, a moved HEAD, rewritten branches and a deleted `.git` are reported; you are asked before a merge of 100 MB or more (`test/engine/in-the-worktree.test.ts`).",
  'ABORT stops the processes of every agent and verifies that they are gone (`keys.test.ts`, `terminal-gone.test.ts`). If that cannot be verified, the processes are listed.',
];

const notPromised: readonly string[] = [
  'A sandbox. What you trusted runs as you, with your permissions. The program does not see what an allowed command does. You are asked about a command that names `.git` or removes the workspace in plain words, but a shell can hide both. The question shows the commands, not the code that they start.',
  'Secrets that a plan must contain to run stay in the session as written: `plan.source.yaml`, task files, the prompt file of a running `command` agent, and a signal until it is taken. After a restart an agent reads a secret of the goal as `[redacted]`. A secret that neither its name nor its form reveals is not recognised.',
  'Protection from programs that run as you. With a shell, they can write into the session directory and forge the record showing that a person sent a file. A process that sheds its environment and its parent is reported, not stopped.',
];
