import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJsonc } from '../../src/cli/integrations/entries/jsonc.ts';
import { writeEntry } from '../../src/cli/integrations/entries/write-entry.ts';
import { hooksEntry } from '../../src/cli/integrations/hook/hooks-entry.ts';
import { addHooks, removeHooks } from '../../src/cli/integrations/hook/settings-hooks.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { workspaceWith, writeIn } from '../helpers/workspace.ts';

const added = (text: string | null): string => {
  const result = addHooks(text);
  if (!result.ok) throw new Error(result.faults[0]?.what);
  return result.value;
};

const removed = (text: string): string | null => {
  const result = removeHooks(text);
  if (!result.ok) throw new Error(result.faults[0]?.what);
  return result.value;
};

const commented = `// Kim's settings
{
    /* what may run */
    "permissions": { "allow": ["Bash(npm test:*)"], }, // trailing comma
    "hooks": {
        "PostToolUse": [ // mine
            { "matcher": "Edit|Write", "hooks": [{ "type": "command", "command": "prettier --write" }] }, // keep
        ],
        "Stop": [],
        // "PreToolUse": nothing yet
    },
    "env": {"A": "1"}   }
`;

const settings: readonly (readonly [name: string, text: string])[] = [
  ['comments, trailing commas and hooks of its own', commented],
  ['lines that end as on Windows', commented.replaceAll('\n', '\r\n')],
  ['tabs', commented.replaceAll('    ', '\t')],
  ['everything on one line', '{"model":"opus","hooks":{"Stop":[{"hooks":[]}]}}'],
  ['no hooks', '{\n  "model": "opus"\n}\n'],
  ['empty hooks', '{ "hooks": {} }'],
  ['an empty object on one line', '{}'],
  ['a byte order mark', '\uFEFF{"a": 1}\n'],
];

test.each(settings)('settings with %s get our hooks once, and come back byte for byte', (_, text) => {
  const both = added(text);
  expect(both.match(/ralph-tui hook \w+/g)?.toSorted()).toEqual([
    'ralph-tui hook PostToolUse',
    'ralph-tui hook PreToolUse',
    'ralph-tui hook SessionStart',
    'ralph-tui hook Stop',
    'ralph-tui hook TaskCompleted',
    'ralph-tui hook TeammateIdle',
  ]);
  expect(parseJsonc(both)).not.toBeNull();
  expect(added(both)).toBe(both);
  expect(removed(both)).toBe(text);
  expect(removed(text)).toBe(text);
});

test('a new file reads as one would write it', () => {
  const text = added(null);
  expect(text).toMatchInlineSnapshot(`
    "{
      "hooks": {
        "PreToolUse": [
          { "matcher": "*", "hooks": [{ "type": "command", "command": "ralph-tui hook PreToolUse", "timeout": 10 }] }
        ],
        "PostToolUse": [
          { "matcher": "*", "hooks": [{ "type": "command", "command": "ralph-tui hook PostToolUse", "timeout": 10 }] }
        ],
        "Stop": [
          { "hooks": [{ "type": "command", "command": "ralph-tui hook Stop", "timeout": 10 }] }
        ],
        "TaskCompleted": [
          { "hooks": [{ "type": "command", "command": "ralph-tui hook TaskCompleted", "timeout": 10 }] }
        ],
        "TeammateIdle": [
          { "hooks": [{ "type": "command", "command": "ralph-tui hook TeammateIdle", "timeout": 10 }] }
        ],
        "SessionStart": [
          { "hooks": [{ "type": "command", "command": "ralph-tui hook SessionStart", "timeout": 10 }] }
        ]
      }
    }
    "
  `);
  expect(removed(text)).toBeNull();
});

test('what a person changed around our hooks stays, and ours goes even with options', () => {
  const text = added('{}')
    .replace('"ralph-tui hook Stop"', '"ralph-tui hook Stop --as Reviewer"')
    .replace(
      '"matcher": "*", "hooks": [',
      '"matcher": "Bash", "hooks": [{ "type": "command", "command": "mine" }, ',
    );
  const left = removed(text);
  expect(left).toContain('{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine" }] }');
  expect(left).not.toContain('ralph-tui');
});

test.each([
  ['[]', 'is not a JSON object'],
  ['{"hooks": []}', 'hooks is not an object'],
  ['{"hooks": {"Stop": {}}}', 'hooks.Stop is not a list'],
  ['{"a": 1', 'is not a JSON object'],
])('%s is refused with one sentence', (text, what) => {
  expect(addHooks(text)).toMatchObject({ ok: false, faults: [{ what }] });
});

test('the file is made, a link to settings elsewhere stays a link, and an empty file that was made goes', () => {
  const workspace = workspaceWith({});
  const printed: string[] = [];
  const cli = createTestCli({
    cwd: workspace,
    env: { HOME: tempDir() },
    print: (text) => printed.push(text),
  });
  const file = join(workspace, '.claude/settings.json');
  writeEntry(cli, hooksEntry, false, false);
  expect(readFileSync(file, 'utf8')).toContain('ralph-tui hook Stop');
  writeEntry(cli, hooksEntry, false, false);
  writeEntry(cli, hooksEntry, true, false);
  expect(existsSync(file)).toBe(false);
  writeEntry(cli, hooksEntry, true, false);
  expect(printed.map((text) => text.replace(file, 'FILE'))).toEqual([
    'written to FILE',
    'already in FILE',
    'removed from FILE',
    'no ralph-tui hook in FILE',
  ]);
  writeIn(workspace, 'dotfiles/claude.json', '{"model": "opus"}');
  mkdirSync(join(workspace, '.claude'), { recursive: true });
  symlinkSync(join(workspace, 'dotfiles/claude.json'), file);
  writeEntry(cli, hooksEntry, false, false);
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(workspace, 'dotfiles/claude.json'), 'utf8')).toMatch(/ralph-tui hook.*"opus"/s);
});
