import { formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { type Cli, exitCodes, type Subcommand } from '../cli.ts';
import { withJson } from '../options.ts';

/** `ralph-tui config`: every value and where it comes from, and what is wrong in the files. */
export const config: Subcommand = (program, cli) => {
  const parent = program.command('config').summary('show every setting and its origin, or check the files');
  withJson(
    parent.command('show', { isDefault: true }).summary('every value with where it comes from'),
  ).action(cli.does((options: { readonly json?: boolean }) => show(cli, options.json === true)));
  withJson(parent.command('check').summary('file, line and key of each error')).action(
    cli.does((options: { readonly json?: boolean }) => check(cli, options.json === true)),
  );
};

const find = async (cli: Cli) => {
  const { createWorld } = await import('../world.ts');
  const { findWorkspace } = await import('../find-workspace.ts');
  const { findLayers } = await import('../load-settings.ts');
  return findLayers(cli, createWorld(), { workspace: findWorkspace(cli.cwd), attended: cli.hasScreen });
};

const show = async (cli: Cli, json: boolean): Promise<number> => {
  const { formatOrigin, resolveSettings } = await import('../../session/config.ts');
  const { settingKeys, settingOf } = await import('../../session/partial-settings.ts');
  const { formatTable } = await import('../table.ts');
  const { layers } = await find(cli);
  const { settings, origins } = resolveSettings(layers);
  const rows = settingKeys.map((key) => {
    const origin = origins.get(key);
    return { key, value: settingOf(settings, key), origin: origin ? formatOrigin(origin) : 'defaults' };
  });
  if (json) cli.printJson(rows);
  else
    cli.print(formatTable(rows.map((row) => [row.key, safe(JSON.stringify(row.value)), safe(row.origin)])));
  return exitCodes.done;
};

const check = async (cli: Cli, json: boolean): Promise<number> => {
  const found = await find(cli);
  const { keyFaults } = await import('../key-faults.ts');
  const faults = [...found.faults, ...keyFaults(found.layers)];
  if (json) cli.printJson(faults);
  else if (faults.length === 0) cli.print('the configuration is good');
  else for (const fault of faults) cli.print(safe(formatFault(fault)));
  return faults.length === 0 ? exitCodes.done : exitCodes.failed;
};
