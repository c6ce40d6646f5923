import { roleTools, watcherTools } from '../../../mcp/outside/index.ts';
import type { Tool } from '../../../mcp/tool.ts';
import { workerTools } from '../../../mcp/workers/worker-tools.ts';
import type { Topic } from './topic.ts';

/** How an agent that another program runs takes part: MCP and Claude Code's hooks. */
export const outside: Topic = {
  name: 'outside',
  summary: 'agents that another program runs: MCP, and Claude Code hooks',
  sections: () => [
    {
      kind: 'text',
      text: 'An agent that you run yourself can watch and steer the sessions in its folder through `ralph-tui mcp`. It cannot approve anything: only a person decides on gates, plans, permissions, reviews, merges and limits.',
    },
    {
      kind: 'text',
      text: 'A plugin of each agent starts this server. That of Claude Code also brings the hooks described below and the skill `/ralph`. In place of `ralph-sessions/tui` and the address, the folder of the installed package works too: `$(npm root -g)/@ralph-sessions/tui`.',
    },
    { kind: 'table', rows: [['agent', 'adds it', 'removes it'], ...plugins] },
    {
      kind: 'text',
      text: 'By hand, for Claude Code (`.mcp.json`) and Gemini CLI (`.gemini/settings.json`):',
    },
    { kind: 'code', language: 'json', text: jsonRecipe },
    { kind: 'text', text: 'Codex (`~/.codex/config.toml`):' },
    { kind: 'code', language: 'toml', text: tomlRecipe },
    {
      kind: 'text',
      text: 'With `"args": ["mcp", "--as", "Executor"]` the agent works in the session instead: it gets the messages for its role, claims them once it has named its task, ends its turn while the session is paused, and cannot steer. `--session ID` names a session; otherwise, each call looks for the newest unfinished one.',
    },
    {
      kind: 'text',
      text: 'With `"args": ["mcp", "--as", "builder"]` (or analyst, validator, integrator) it joins the team of `ralph-tui run --issue ID --mode team` as a worker. The session asks you about each one (`ralph-tui answer join:NAME --option in`); `flow.join` can decide without asking. It takes tasks with task_claim, works in the directory that the answer names, and submits the result with task_update. The same checks, review and merge follow as for any other agent. When its process ends, its task becomes free for others.',
    },
    { kind: 'table', rows: [['tool', 'for', 'does'], ...toolRows()] },
    {
      kind: 'text',
      text: '`ralph-tui init --hooks` adds hooks to `.claude/settings.json` in this folder, and `init --hooks --remove` removes them. The plugin of Claude Code brings the same hooks: where it is switched on, `init --hooks` says so and writes nothing, and where settings contain our hooks, those of the plugin do nothing. Pending STEER and INFO messages arrive after each tool call. The next call is denied if the session is paused or aborted, or if your guidance forbids it. An agent that tries to end while its role has unfinished work is refused once. `RALPH_SESSION` and `RALPH_ROLE` set the session and the role (default Executor). A hook shows messages but claims none. With a team role (`RALPH_ROLE=builder`), an agent that tries to end is refused once each time the task list changes: “Pending tasks exist for your role.” Events from Claude Code’s own teams produce one line each: “Task completed by NAME: "SUBJECT"”, “NAME is idle.” An agent that starts gets “native has 3 processable issues.”',
    },
  ],
};

const plugins: readonly (readonly string[])[] = [
  [
    'Claude Code',
    '`claude plugin marketplace add ralph-sessions/tui && claude plugin install ralph@ralph-sessions`',
    '`claude plugin uninstall ralph@ralph-sessions`',
  ],
  [
    'Gemini CLI',
    '`gemini extensions install https://github.com/ralph-sessions/tui`',
    '`gemini extensions uninstall ralph`',
  ],
  ['Codex', '`ralph-tui init --codex`, in `~/.codex/config.toml`', '`ralph-tui init --codex --remove`'],
  [
    'opencode',
    '`ralph-tui init --opencode`, in `opencode.json` of this folder',
    '`ralph-tui init --opencode --remove`',
  ],
];

const jsonRecipe = '{ "mcpServers": { "ralph-tui": { "command": "ralph-tui", "args": ["mcp"] } } }';

const tomlRecipe = '[mcp_servers.ralph-tui]\ncommand = "ralph-tui"\nargs = ["mcp"]\nenv_vars = ["RALPH_RUN"]';

const toolRows = (): readonly (readonly string[])[] => [
  ...[...new Set([...watcherTools, ...roleTools])].map((tool) =>
    row(tool, !roleTools.includes(tool) ? 'without `--as`' : watcherTools.includes(tool) ? 'all' : '`--as`'),
  ),
  ...workerTools.filter(({ name }) => !shared.has(name)).map((tool) => row(tool, 'workers')),
];

const shared: ReadonlySet<string> = new Set([...watcherTools, ...roleTools].map(({ name }) => name));

const row = (tool: Pick<Tool, 'name' | 'description'>, whom: string): readonly string[] => [
  `\`${tool.name}\``,
  whom,
  (tool.description.match(/^.*?\.(?= |$)/)?.[0] ?? tool.description).replace(/\.$/, ''),
];
