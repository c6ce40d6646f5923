import { formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { type Cli, exitCodes, type Subcommand } from '../cli.ts';
import { withJson } from '../options.ts';

/** `ralph-tui config`: shows every value with its source, and the faults of the files. */
export const config: Subcommand = (program, cli) => {
  const parent = program.command('config');
  withJson(parent.command('show', { isDefault: true }).summary('every value and its origin')).action(
    cli.does((options: { readonly json?: boolean }) => show(cli, options.json === true)),
  );
  withJson(
    parent
      .command('distrust')
      .summary('ask again before a plan or the configuration of this workspace is used'),
  ).action(cli.does((options: { readonly json?: boolean }) => distrust(cli, options.json === true)));
  withJson(
    parent
      .command('import <file>')
      .summary("import a plugin's .claude/ralph-config.json")
      .option('--yes', 'import it without asking'),
  ).action(
    cli.does(async (file: string, options: { readonly json?: boolean; readonly yes?: boolean }) => {
      const { createWorld } = await import('../world.ts');
      const { importPlugin } = await import('../discovery/import-plugin.ts');
      return importPlugin(cli, createWorld(), file, {
        yes: options.yes === true,
        json: options.json === true,
      });
    }),
  );
  parent
    .command('themes [file]')
    .summary('a sample of the screen in every theme, or with the colours from a file')
    .action(
      cli.does(async (file: string | undefined) => {
        const { showThemes } = await import('../terminal/show-themes.ts');
        const { createWorld } = await import('../world.ts');
        return showThemes(cli, createWorld(), file);
      }),
    );
  withJson(parent.command('check').summary('file, line and key of each error')).action(
    cli.does((options: { readonly json?: boolean }) => check(cli, options.json === true)),
  );
};

const find = async (cli: Cli) => {
  const { createWorld } = await import('../world.ts');
  const { findWorkspace } = await import('../session/find-workspace.ts');
  const { findLayers } = await import('../settings/load-settings.ts');
  return findLayers(cli, createWorld(), { workspace: findWorkspace(cli.cwd), attended: cli.hasPerson });
};

const show = async (cli: Cli, json: boolean): Promise<number> => {
  const { formatOrigin, resolveSettings } = await import('../../session/config.ts');
  const { settingOf } = await import('../../session/settings/partial-settings.ts');
  const { allSettings } = await import('../../session/settings/index.ts');
  const { formatTable } = await import('../report/table.ts');
  const { formatSetting } = await import('../report/format-setting.ts');
  const { configSubject } = await import('../trust/trust-subjects.ts');
  const { trustQuestion } = await import('../trust/trust-question.ts');
  const { createWorld } = await import('../world.ts');
  const { findWorkspace } = await import('../session/find-workspace.ts');
  const { layers } = await find(cli);
  const config = configSubject(layers);
  if (config && trustQuestion(cli.env, createWorld(), findWorkspace(cli.cwd), [config]) !== null)
    cli.note(`ralph-tui: not trusted yet: ${config.name}; nothing uses it until you accept it`);
  const { settings, origins } = resolveSettings(layers);
  const rows = allSettings.map(({ key, unit, live, sentence }) => {
    const origin = origins.get(key);
    const from = origin ? formatOrigin(origin) : 'defaults';
    return { key, value: settingOf(settings, key), origin: from, unit, live, description: sentence };
  });
  if (json) cli.printJson(rows);
  else
    cli.print(
      formatTable(rows.map((row) => [row.key, safe(formatSetting(row.key, row.value)), safe(row.origin)])),
    );
  return exitCodes.done;
};

const distrust = async (cli: Cli, json: boolean): Promise<number> => {
  const { createWorld } = await import('../world.ts');
  const { findWorkspace } = await import('../session/find-workspace.ts');
  const { forgetTrust } = await import('../trust/trust-memory.ts');
  const workspace = findWorkspace(cli.cwd);
  const forgotten = forgetTrust(cli.env, createWorld(), workspace);
  if (json) cli.printJson({ workspace, forgotten });
  else if (forgotten.length === 0) cli.print(safe(`Nothing was trusted in ${workspace}.`));
  else cli.print(safe(`No longer trusted in ${workspace}: ${forgotten.join(', ')}.`));
  return exitCodes.done;
};

const check = async (cli: Cli, json: boolean): Promise<number> => {
  const found = await find(cli);
  const { keyFaults } = await import('../settings/key-faults.ts');
  const { agentFaults } = await import('../agents/agent-faults.ts');
  const { createWorld } = await import('../world.ts');
  const { skinFileOf } = await import('../terminal/theme-of-terminal.ts');
  const { readSkin } = await import('../terminal/read-skin.ts');
  const { resolveSettings } = await import('../../session/config.ts');
  const skin = skinFileOf(cli.env, resolveSettings(found.layers).settings.ui.theme);
  const read = skin === null ? null : readSkin(createWorld().disk, skin);
  const faults = [
    ...found.faults,
    ...keyFaults(found.layers),
    ...agentFaults(found.layers),
    ...(read?.ok === false ? read.faults : []),
  ];
  if (json) cli.printJson(faults);
  else if (faults.length === 0) cli.print('the configuration is valid');
  else for (const fault of faults) cli.print(safe(formatFault(fault)));
  return faults.length === 0 ? exitCodes.done : exitCodes.failed;
};
