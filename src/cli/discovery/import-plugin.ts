import { dirname, resolve } from 'node:path';
import { formatTimestamp } from '../../base/clock.ts';
import { sha256 } from '../../base/hash.io.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import { safe } from '../../base/safe.ts';
import { importPluginConfig, type PluginImport } from '../../discovery/plugin/import-config.ts';
import { workspaceConfigFile } from '../../session/config.io.ts';
import { parseConfig } from '../../session/config.ts';
import { saysSomething, uniqueItems, without } from '../../session/guidance/guidance.ts';
import { nestKeys } from '../../session/settings/nest-keys.ts';
import { editYaml } from '../../tasks/yaml-edit.ts';
import { type Cli, Exit, exitCodes, usage, valueOrExit } from '../cli.ts';
import { findWorkspace } from '../session/find-workspace.ts';
import { readGuidance, saveGuidance } from '../trust/guidance-store.ts';
import { rememberTrust } from '../trust/trust-memory.ts';
import type { World } from '../world.ts';

/** Shows how the plugin's configuration translates, asks, and writes it with a backup (src/discovery/README.md, Commands). */
export const importPlugin = async (
  cli: Cli,
  world: World,
  file: string,
  options: { readonly yes: boolean; readonly json: boolean },
): Promise<number> => {
  const path = resolve(cli.cwd, file);
  const text = readText(world.disk, path, 4 * 1024 * 1024);
  if (text === null) throw usage(`${path} does not exist`, 'name the .claude/ralph-config.json to import');
  const found = valueOrExit(importPluginConfig(text, path));
  const workspace = findWorkspace(cli.cwd);
  const config = configText(world, workspace, found);
  if (!options.json) for (const line of importLines(found)) cli.print(line);
  if (!(options.yes || (await agrees(cli, options.json)))) {
    cli.note('Nothing was written.');
    return exitCodes.done;
  }
  write(cli, world, workspace, found, config);
  if (options.json)
    cli.printJson({ keys: found.keys, settings: found.settings, guidance: found.guidance, written: true });
  else cli.print('Imported.');
  return exitCodes.done;
};

const importLines = ({ version, keys }: PluginImport): readonly string[] => [
  `Version ${safe(version)}:`,
  ...keys.filter(({ to }) => to !== null).map(({ from, to, words }) => safe(`  ${from} → ${to}: ${words}`)),
  ...keys.filter(({ to }) => to === null).map(({ from, words }) => safe(`  ${from}: not imported: ${words}`)),
];

const agrees = async (cli: Cli, json: boolean): Promise<boolean> => {
  if (json || cli.stdin.isTTY !== true)
    throw new Exit(exitCodes.waits, {
      code: 'needs-yes',
      what: 'this import needs confirmation',
      hint: 'add --yes, or run this in a terminal to confirm',
    });
  const answer = await cli.typed.answer(() => cli.stderr.write('Write this? [y/N] '));
  return answer !== null && /^\s*y(?:es)?\s*$/i.test(answer);
};

/** Returns the configuration with the imported settings. Throws before anything is written when it would be invalid. */
const configText = (
  world: World,
  workspace: string,
  { settings }: PluginImport,
): { readonly before: string; readonly after: string } | null => {
  if (Object.keys(settings).length === 0) return null;
  const file = workspaceConfigFile(workspace);
  const before = readText(world.disk, file) ?? '';
  if (before.trim() !== '') valueOrExit(parseConfig(before, file, 'workspace'));
  const after = editYaml(
    before,
    nestKeys<unknown>(Object.entries(settings), (inner) => inner),
  );
  valueOrExit(parseConfig(after, file, 'workspace'));
  return { before, after };
};

const write = (
  cli: Cli,
  world: World,
  workspace: string,
  { guidance }: PluginImport,
  config: ReturnType<typeof configText>,
): void => {
  const file = workspaceConfigFile(workspace);
  if (config !== null) {
    world.disk.mkdir(dirname(file));
    if (config.before !== '') replaceFile(world.disk, world.random, `${file}.bak`, config.before);
    replaceFile(world.disk, world.random, file, config.after);
    rememberTrust(cli.env, world, {
      workspace,
      name: '.ralph/config.yaml',
      sha256: sha256(config.after),
      at: formatTimestamp(world.clock),
    });
  }
  if (!saysSomething(guidance)) return;
  const stored = readGuidance(cli, world, workspace).value;
  const forbidden = uniqueItems([...stored.forbidden, ...guidance.forbidden]);
  saveGuidance(cli, world, workspace, {
    ...stored,
    forbidden,
    encouraged: without(uniqueItems([...stored.encouraged, ...guidance.encouraged]), forbidden),
  });
};
