import { roleTools, watcherTools } from '../../../mcp/outside/index.ts';
import type { Topic } from './topic.ts';

/** How an agent that another program runs takes part: MCP and Claude Code's hooks. */
export const outside: Topic = {
  name: 'outside',
  summary: 'agents that another program runs: MCP, and the hooks of Claude Code',
  sections: () => [
    {
      kind: 'text',
      text: 'An agent that you run yourself can watch and steer the sessions of its folder through `ralph-tui mcp`. It cannot approve: gates, plans, permissions, reviews, merges and limits stay a person’s.',
    },
    {
      kind: 'text',
      text: 'Claude Code (`.mcp.json`) and Gemini CLI (`.gemini/settings.json`):',
    },
    { kind: 'code', language: 'json', text: jsonRecipe },
    { kind: 'text', text: 'Codex (`~/.codex/config.toml`):' },
    { kind: 'code', language: 'toml', text: tomlRecipe },
    {
      kind: 'text',
      text: 'With `"args": ["mcp", "--as", "Executor"]` the agent works in the session instead: it gets the messages for its role, takes them once it has named its task, ends its turn while the session is paused, and steers no one. `--session ID` names a session; else each call looks for the newest unfinished one.',
    },
    { kind: 'table', rows: [['tool', 'for', 'does'], ...toolRows()] },
    {
      kind: 'text',
      text: '`ralph-tui init --hooks` puts three hooks into `.claude/settings.json` of this folder, and `init --hooks --remove` takes them out. Pending STEER and INFO come after each tool; a paused or aborted session and your guidance deny the next one; the agent’s end is refused once while its role has work left undone. `RALPH_SESSION` and `RALPH_ROLE` say which session and role (default Executor). A hook shows messages and claims none.',
    },
  ],
};

const jsonRecipe = '{ "mcpServers": { "ralph": { "command": "ralph-tui", "args": ["mcp"] } } }';

const tomlRecipe = '[mcp_servers.ralph]\ncommand = "ralph-tui"\nargs = ["mcp"]';

const toolRows = (): readonly (readonly string[])[] =>
  [...new Set([...watcherTools, ...roleTools])].map((tool) => [
    `\`${tool.name}\``,
    !roleTools.includes(tool) ? 'without `--as`' : watcherTools.includes(tool) ? 'all' : '`--as`',
    (tool.description.match(/^.*?\.(?= |$)/)?.[0] ?? tool.description).replace(/\.$/, ''),
  ]);
