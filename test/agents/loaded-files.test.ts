import { expect, test } from 'vitest';
import { agentSettings, loadedBy, loadedByAny, loadedEntry } from '../../src/agents/loaded-files.ts';
import { profiles } from '../../src/agents/profiles/index.ts';

test('each profile loads what the table says of it, and the table names no agent without a profile', () => {
  for (const { name, loads } of profiles) expect({ name, loads }).toEqual({ name, loads: loadedBy(name) });
  expect(profiles.filter(({ loads }) => loads.length === 0).map(({ name }) => name)).toEqual(['example']);
});

test('the guard restores every setting by its widest entry, and no text that may be work', () => {
  expect(agentSettings).toEqual([
    '.mcp.json',
    '.claude',
    '.codex',
    '.gemini',
    '.qwen',
    'opencode.json',
    'opencode.jsonc',
    '.opencode',
    '.agents/skills',
    '.goose',
    '.github/agents',
    '.github/skills',
    '.copilot',
    '.cursor',
    '.vscode/mcp.json',
  ]);
  expect(loadedByAny).toEqual(expect.arrayContaining(['AGENTS.md', '.claude', 'opencode.jsonc']));
});

test.each([
  ['AGENTS.md', 'AGENTS.md'],
  ['packages/a/agents.MD', 'AGENTS.md'],
  ['.claude/hooks/x.sh', '.claude'],
  ['packages/a/.agents/skills/x/SKILL.md', '.agents/skills'],
  ['.agents/notes.md', null],
  ['docs/MY-AGENTS.md', null],
  ['opencode.json.md', null],
  ['odd/rules.txt', 'odd/rules.txt'],
])('%s belongs to the entry %s', (path, entry) => {
  expect(loadedEntry(path, ['odd/rules.txt'])).toBe(entry);
});
