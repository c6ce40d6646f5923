import { InvalidArgumentError } from 'commander';
import type { PartialSettings } from '../../session/settings.ts';
import type { Subcommand } from '../cli.ts';
import { withJson } from '../options.ts';

/** `ralph-tui serve`: shows the sessions of this workspace to paired browsers, which steer and answer as far as they may. */
export const serve: Subcommand = (program, cli) => {
  const parent = program.command('serve').addHelpText('after', `\n${noticeHelp}`);
  parent
    .command('start', { isDefault: true })
    .summary('serve on loopback, and show the code that pairs a device')
    .option('--port <n>', 'the port; 0: any free one', portNumber, 0)
    .action(
      cli.does(async ({ port }: { readonly port: number }) => {
        const { runServe } = await import('../serve/run-serve.ts');
        const { agreeTo, consentOf } = await import('../trust/ask-trust.ts');
        const { configSubject } = await import('../trust/trust-subjects.ts');
        return runServe(cli, port, (world, workspace, layers) => {
          // It starts no session: of the repository's settings only its own take effect here.
          const own = layers.map((layer) => ({ ...layer, values: ownSettings(layer.values) }));
          const config = configSubject(own) === null ? null : configSubject(layers);
          const subjects = config === null ? [] : [config];
          return agreeTo(cli, world, { workspace, subjects }, consentOf(cli, 'plain', {}));
        });
      }),
    );
  const devices = parent.command('devices').summary('list, rename and revoke paired devices');
  const keptHere = async () => {
    const { keptFilesOf } = await import('../serve/kept-files.ts');
    const { findWorkspace } = await import('../session/find-workspace.ts');
    const { createWorld } = await import('../world.ts');
    return keptFilesOf(cli.env, createWorld(), findWorkspace(cli.cwd));
  };
  withJson(devices.command('list', { isDefault: true }).summary('every paired device')).action(
    cli.does(async ({ json }: { readonly json?: boolean }) => {
      const { deviceLines } = await import('../serve/devices.ts');
      const kept = await keptHere();
      if (json === true)
        cli.printJson(
          kept
            .read()
            .devices.map(({ id, name, scope, paired, expires }) => ({ id, name, scope, paired, expires })),
        );
      else for (const line of deviceLines(kept)) cli.print(line);
      return 0;
    }),
  );
  devices
    .command('rename')
    .summary('give a device another name')
    .argument('<device>', 'its name, or the beginning of its id')
    .argument('<name>')
    .action(
      cli.does(async (device: string, name: string) => {
        const { rename } = await import('../serve/devices.ts');
        cli.print(rename(await keptHere(), device, name));
        return 0;
      }),
    );
  devices
    .command('revoke')
    .summary('revoke a device: its pages close at once')
    .argument('<device>', 'its name, or the beginning of its id')
    .action(
      cli.does(async (device: string) => {
        const { revoke } = await import('../serve/devices.ts');
        cli.print(revoke(await keptHere(), device));
        return 0;
      }),
    );
};

const ownSettings = ({ notify, serve: own }: PartialSettings): PartialSettings => ({
  ...(notify === undefined ? {} : { notify }),
  ...(own === undefined ? {} : { serve: own }),
});

/** Where people read it who set it up; `src/serve/README.md` says the rest. */
const noticeHelp = `Notices, in your own configuration (they say only that something waits, unless notify.content is true):
  ntfy      notify.command: [curl, -s, -d, '@-', https://ntfy.sh/NAME]
  Pushover  notify.command: [curl, -s, -F, token=TOKEN, -F, user=USER, -F, 'message=<-', https://api.pushover.net/1/messages.json]
  Slack     notify.command: [sh, -c, 'curl -s -d "{\\"text\\": \\"ralph-tui needs you\\"}" HOOK']
A paired browser can ask for them, too: on the page of all sessions, where it is reached over https or on this machine.`;

const portNumber = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
};
