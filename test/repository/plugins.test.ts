import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { addHooks } from '../../src/cli/integrations/hook/settings-hooks.ts';
import { pluginId } from '../../src/cli/integrations/hook/twice.ts';
import { parseSkill } from '../../src/skills/parse-skill.ts';
import { root } from '../helpers/source-tree.ts';

const plugin = '.claude-plugin/ralph';
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = z.looseObject({ name: z.string(), version: z.string() });

test('the plugins of Claude Code and Gemini CLI have the version of the package, and start its server', () => {
  const { version } = manifest.parse(JSON.parse(read('package.json')));
  const mcpServers = { 'ralph-tui': { command: 'ralph-tui', args: ['mcp'] } };
  for (const path of [`${plugin}/.claude-plugin/plugin.json`, 'gemini-extension.json'])
    expect(manifest.parse(JSON.parse(read(path)))).toMatchObject({ name: 'ralph', version, mcpServers });
});

test('the marketplace has the plugin under the name that `init --hooks` looks for', () => {
  const market = z
    .looseObject({
      name: z.string(),
      plugins: z.array(z.looseObject({ name: z.string(), source: z.string() })),
    })
    .parse(JSON.parse(read('.claude-plugin/marketplace.json')));
  const names = market.plugins.map(({ name, source }) => [`${name}@${market.name}`, source]);
  expect(names).toEqual([[pluginId, `./${plugin}`]]);
});

test('the hooks of the plugin are those of `init --hooks`, and give way to them', () => {
  const hooks = addHooks(null);
  const wanted = hooks.ok ? hooks.value.replaceAll(/"ralph-tui hook \w+/g, '$& --plugin') : '';
  expect(JSON.parse(read(`${plugin}/hooks/hooks.json`))).toEqual(JSON.parse(wanted));
});

test('the skill of the plugin is a skill in our own eyes', () => {
  const { value, problems } = parseSkill(read(`${plugin}/SKILL.md`), 'ralph');
  expect([value?.name, problems]).toEqual(['ralph', []]);
});
