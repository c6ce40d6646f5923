/**
 * How agents use a file of a repository that they load on their own. `settings`: it may start hooks and servers or grant rights; nobody's work
 * touches it. `variables`: an environment, perhaps with keys. `instructions`: text for a model, which may be part of the work.
 */
type LoadedKind = 'settings' | 'variables' | 'instructions';

interface LoadedFile {
  /** Relative to any directory of the repository: agents look in the directory of their work and in those above it. */
  readonly path: string;
  readonly is: LoadedKind;
  /** The profiles that load it. None: it is part of a wider entry, or belongs to an agent without a profile. */
  readonly by: readonly string[];
}

/**
 * Every file that a known agent loads from a repository on its own: one table for trust, which shows them before the start, for the guard, which
 * restores settings that change while agents work, and for permissions, which ask about each.
 */
const loadedFiles: readonly LoadedFile[] = [
  { path: 'AGENTS.md', is: 'instructions', by: ['claude', 'codex', 'opencode', 'qwen', 'goose', 'copilot'] },
  { path: 'CLAUDE.md', is: 'instructions', by: ['claude', 'opencode', 'copilot'] },
  { path: 'CLAUDE.local.md', is: 'instructions', by: ['claude'] },
  { path: 'GEMINI.md', is: 'instructions', by: ['gemini', 'copilot'] },
  { path: 'QWEN.md', is: 'instructions', by: ['qwen'] },
  { path: '.goosehints', is: 'instructions', by: ['goose'] },
  { path: '.github/copilot-instructions.md', is: 'instructions', by: ['copilot'] },
  { path: '.github/instructions', is: 'instructions', by: ['copilot'] },
  { path: '.mcp.json', is: 'settings', by: ['claude', 'qwen', 'copilot'] },
  { path: '.claude', is: 'settings', by: [] },
  { path: '.claude/CLAUDE.md', is: 'settings', by: ['claude'] },
  { path: '.claude/settings.json', is: 'settings', by: ['claude'] },
  { path: '.claude/settings.local.json', is: 'settings', by: ['claude'] },
  { path: '.claude/agents', is: 'settings', by: ['claude'] },
  { path: '.claude/commands', is: 'settings', by: ['claude'] },
  { path: '.claude/hooks', is: 'settings', by: ['claude'] },
  { path: '.claude/rules', is: 'settings', by: ['claude'] },
  { path: '.claude/skills', is: 'settings', by: ['claude', 'opencode'] },
  { path: '.codex', is: 'settings', by: [] },
  { path: '.codex/config.toml', is: 'settings', by: ['codex'] },
  { path: '.codex/rules', is: 'settings', by: ['codex'] },
  { path: '.gemini', is: 'settings', by: [] },
  { path: '.gemini/settings.json', is: 'settings', by: ['gemini'] },
  { path: '.gemini/.env', is: 'settings', by: ['gemini'] },
  { path: '.gemini/agents', is: 'settings', by: ['gemini'] },
  { path: '.gemini/commands', is: 'settings', by: ['gemini'] },
  { path: '.gemini/extensions', is: 'settings', by: ['gemini'] },
  { path: '.gemini/skills', is: 'settings', by: ['gemini'] },
  { path: '.qwen', is: 'settings', by: [] },
  { path: '.qwen/settings.json', is: 'settings', by: ['qwen'] },
  { path: '.qwen/.env', is: 'settings', by: ['qwen'] },
  { path: '.qwen/agents', is: 'settings', by: ['qwen'] },
  { path: '.qwen/commands', is: 'settings', by: ['qwen'] },
  { path: '.qwen/extensions', is: 'settings', by: ['qwen'] },
  { path: '.qwen/skills', is: 'settings', by: ['qwen'] },
  { path: 'opencode.json', is: 'settings', by: ['opencode'] },
  { path: 'opencode.jsonc', is: 'settings', by: ['opencode'] },
  { path: '.opencode', is: 'settings', by: ['opencode'] },
  { path: '.agents/skills', is: 'settings', by: ['gemini', 'codex', 'opencode', 'goose'] },
  { path: '.goose', is: 'settings', by: ['goose'] },
  { path: '.github/agents', is: 'settings', by: ['copilot'] },
  { path: '.github/skills', is: 'settings', by: ['copilot'] },
  { path: '.copilot', is: 'settings', by: ['copilot'] },
  { path: '.cursor', is: 'settings', by: [] },
  { path: '.vscode/mcp.json', is: 'settings', by: [] },
  { path: '.env', is: 'variables', by: ['gemini', 'qwen'] },
];

/** What an agent with this profile loads, for its trust question. */
export const loadedBy = (profile: string): readonly string[] =>
  loadedFiles.filter(({ by }) => by.includes(profile)).map(({ path }) => path);

/** The settings, without those that are in another entry. */
export const agentSettings: readonly string[] = loadedFiles.flatMap(({ path, is }) =>
  is === 'settings' && !loadedFiles.some((wider) => path.startsWith(`${wider.path}/`)) ? [path] : [],
);

/** Where Claude Code makes the work trees of other sessions and of subagents: what changes in them is their work, and nothing in them is loaded from above. */
export const agentWorktrees = '.claude/worktrees';

/** What an agent without a profile may load: every text and setting of the table. */
export const loadedByAny: readonly string[] = [
  ...loadedFiles.filter(({ is }) => is === 'instructions').map(({ path }) => path),
  ...agentSettings,
];

/**
 * The entry of the table, or of `more`, that a path belongs to, or `null`. `path` is relative to the repository. Letters count in either case, because
 * some file systems do not tell them apart.
 */
export const loadedEntry = (path: string, more: readonly string[] = []): string | null => {
  const own = `/${path.toLowerCase()}/`;
  return (
    [...loadedFiles.map((file) => file.path), ...more].find((entry) =>
      own.includes(`/${entry.toLowerCase().replace(/\/+$/u, '')}/`),
    ) ?? null
  );
};

/** The entry of the table, or of `more`, that is in a directory, or `null`: `.github` holds `.github/agents`. */
export const entryBelow = (directory: string, more: readonly string[] = []): string | null =>
  [...loadedFiles.map((file) => file.path), ...more].find((entry) =>
    entry.toLowerCase().startsWith(`${directory.toLowerCase()}/`),
  ) ?? null;
