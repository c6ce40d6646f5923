import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codexEntry } from '../../src/cli/integrations/entries/codex-entry.ts';
import type { Entry } from '../../src/cli/integrations/entries/entry.ts';
import { opencodeEntry } from '../../src/cli/integrations/entries/opencode-entry.ts';
import { createShell } from '../helpers/shell.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { writeIn } from '../helpers/workspace.ts';

const added = (entry: Entry, text: string | null): string => {
  const result = entry.add(text);
  if (!result.ok) throw new Error(result.faults[0]?.what);
  return result.value;
};

const removed = (entry: Entry, text: string): string | null => {
  const result = entry.remove(text);
  if (!result.ok) throw new Error(result.faults[0]?.what);
  return result.value;
};

test.each([
  ['Codex', codexEntry, null],
  ['Codex', codexEntry, 'model = "gpt-5.5"\n\n[features]\nplugins = false\n'],
  ['Codex', codexEntry, '[mcp_servers.other]\r\ncommand = "x"\r\n'],
  ['opencode', opencodeEntry, null],
  [
    'opencode',
    opencodeEntry,
    '{\n\t// mine\n\t"model": "a/b",\n\t"mcp": { "other": { "type": "local" } },\n}\n',
  ],
  ['opencode', opencodeEntry, '{"mcp":{}}'],
] as const)('%s gets our server once, and its settings come back byte for byte', (_, entry, text) => {
  const both = added(entry, text);
  expect(both.match(/ralph-tui"?, *"mcp|command = "ralph-tui"/g)).toHaveLength(1);
  expect(added(entry, both)).toBe(both);
  expect(removed(entry, both)).toBe(text);
  if (text !== null) expect(removed(entry, text)).toBe(text);
});

test.each([
  ['a table of another hand', codexEntry, '[ mcp_servers . "ralph-tui" ]\ncommand = "/opt/ralph-tui"\n'],
  ['a part of it', codexEntry, `${added(codexEntry, null)}\n[mcp_servers.ralph-tui.env]\nA = "1"\n`],
] as const)('%s counts as there, and is left to the person', (_, entry, text) => {
  expect(added(entry, text)).toBe(text);
  expect(entry.remove(text)).toMatchObject({
    ok: false,
    faults: [{ what: 'has another [mcp_servers.ralph-tui] than the one that init writes' }],
  });
});

test.each([
  [codexEntry, 'mcp_servers = { other = { command = "x" } }\n', /in another form than tables/],
  [codexEntry, 'mcp_servers.other.command = "x"\n', /in another form than tables/],
  [opencodeEntry, '[]', /is not a JSON object/],
  [opencodeEntry, '{"mcp": []}', /mcp is not an object/],
] as const)('settings that cannot take it are refused with one sentence', (entry, text, what) => {
  expect(entry.add(text)).toMatchObject({ ok: false, faults: [{ what: expect.stringMatching(what) }] });
});

test('init writes into the settings of Codex and of opencode, and takes it out again', async () => {
  const { cwd, run } = createShell();
  const home = tempDir();
  const env = { CODEX_HOME: home };
  const codex = join(home, 'config.toml');
  expect(await run(['init', '--codex'], env)).toMatchObject({ code: 0, out: `written to ${codex}` });
  expect(await run(['init', '--codex'], env)).toMatchObject({ out: `already in ${codex}` });
  expect(readFileSync(codex, 'utf8')).toBe(
    '[mcp_servers.ralph-tui]\ncommand = "ralph-tui"\nargs = ["mcp"]\nenv_vars = ["RALPH_RUN"]\n',
  );
  await run(['init', '--codex', '--remove'], env);
  expect(existsSync(codex)).toBe(false);
  writeIn(cwd, 'opencode.jsonc', '{ /* mine */ }');
  const { out } = await run(['init', '--opencode'], env);
  expect(out).toBe(`written to ${join(cwd, 'opencode.jsonc')}`);
  const { out: nothing } = await run(['init', '--opencode', '--remove'], env);
  expect(nothing).toBe(`removed from ${join(cwd, 'opencode.jsonc')}`);
  expect(readFileSync(join(cwd, 'opencode.jsonc'), 'utf8')).toBe('{ /* mine */ }');
  expect(await run(['init', '--remove'], env)).toMatchObject({ code: 2 });
});
