import { hostname } from 'node:os';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { renderUnicodeCompact } from 'uqr';
import { safe } from '../../base/safe.ts';
import { watchDirectory } from '../../engine/mailbox/watch-directory.io.ts';
import type { Place } from '../../serve/access/admit.ts';
import type { Layer } from '../../session/config.ts';
import { type Cli, Exit, exitCodes, failure, usage } from '../cli.ts';
import { endSignals, onProcessSignals } from '../process-signals.ts';
import { findWorkspace } from '../session/find-workspace.ts';
import { loadConfiguration } from '../settings/load-settings.ts';
import { isStartedByAgent } from '../started-by-agent.ts';
import { createWorld, type World } from '../world.ts';
import { baseOf } from './app-parts.ts';
import { createApp, type ServedApp } from './create-app.ts';
import { createDesk, type Desk } from './desk.ts';
import { openDeskSocket } from './desk-socket.ts';
import { deviceLines, revoke } from './devices.ts';
import { type KeptFiles, keptFilesOf } from './kept-files.ts';
import { pushNotice } from './push-notice.ts';
import { runNotice } from './run-notice.ts';
import { sendNotices } from './send-notices.ts';
import { createSessions } from './sessions.ts';

/** Milliseconds. A request arrives at once on loopback; the answer of a stream takes as long as it takes. */
const limits = {
  maxHeaderSize: 16_384,
  headersTimeout: 5_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
};

/** Whether the person accepts what these layers of a repository would do. */
type Agreed = (world: World, workspace: string, layers: readonly Layer[]) => Promise<boolean>;

/** Serves the sessions of the workspace to paired browsers on loopback until it is ended. Starts and stops no session. */
export const runServe = async (cli: Cli, wantedPort: number, agreed: Agreed): Promise<number> => {
  if (isStartedByAgent(cli.env))
    throw usage(
      'only a person can start `serve`, but this command was started by an agent or by a command running in a session',
    );
  if (!cli.hasPerson)
    throw usage(
      '`serve` needs a terminal: it shows there the code that pairs a device',
      'start it in your own terminal',
    );
  const world = createWorld();
  const workspace = findWorkspace(cli.cwd);
  const { settings, layers } = loadConfiguration(cli, world, { workspace, attended: true });
  // A repository may name a command for notices, and another host.
  if (!(await agreed(world, workspace, layers))) return exitCodes.done;
  const kept = keptFilesOf(cli.env, world, workspace);
  const place: Place = { port: 0, path: kept.read().path, host: hostIn(settings.serve.url) };
  let port = 0;
  const desk = createDesk(world, kept, ({ name, scope }) => {
    cli.print(`Paired: ${safe(name)} (${scope}). A new code: type \`code\`.`);
  });
  const sessions = createSessions(cli, world, workspace, (session) =>
    baseOf({ place: () => place }, session),
  );
  const app = createApp({ env: cli.env, world, kept, desk, sessions, place: () => ({ ...place, port }) });
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    serverOptions: limits,
  });
  port = await listen(server, wantedPort);
  const { note, env } = cli;
  const stopNotices = sendNotices({
    world,
    workspace,
    sessions,
    settings,
    tell: (notice) => {
      runNotice({ env, cwd: workspace, note }, settings.notify.command, notice);
      void pushNotice({ kept, outside: settings.serve.url, note }, notice);
    },
  });
  const stopWatching = watchDirectory(kept.folder, app.dropRevoked);
  const addresses = {
    local: `http://127.0.0.1:${port}/${place.path}`,
    outside: settings.serve.url,
    path: place.path,
    port,
  };
  for (const line of welcome(addresses)) cli.print(line);
  showCode(cli, desk, addresses);
  const closeDesk = await openDeskSocket({
    env,
    world,
    workspace,
    desk,
    kept,
    addresses: pairAddresses(addresses),
    connected: app.connected,
    note,
  });
  await untilEnded(cli, { app, desk, kept, world, addresses });
  closeDesk();
  stopWatching();
  stopNotices();
  sessions.close();
  if ('closeAllConnections' in server) server.closeAllConnections();
  server.close();
  return exitCodes.done;
};

/** Opens the port on loopback, and gives its number. */
const listen = async (server: ServerType, wanted: number): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        failure({
          code: 'port',
          what: `port ${wanted} cannot be opened: ${error.message}`,
          hint: 'choose another one with --port, or let the system choose: --port 0',
        }),
      ),
    );
    server.listen(wanted, '127.0.0.1', resolve);
  });
  const address = server.address();
  return address === null || typeof address === 'string' ? wanted : address.port;
};

const hostIn = (url: string | null): string | null => (url === null ? null : new URL(url).host);

interface Addresses {
  readonly local: string;
  /** `serve.url`. */
  readonly outside: string | null;
  readonly path: string;
  readonly port: number;
}

/** Where a browser is paired: on this machine, and by the name that `serve.url` gives it. */
const pairAddresses = ({ local, outside, path }: Addresses): readonly string[] => [
  `${local}/pair`,
  ...(outside === null ? [] : [`${outside.replace(/\/$/, '')}/${path}/pair`]),
];

/** How a browser on this machine, and one elsewhere, reaches it. */
const welcome = ({ local, outside, path, port }: Addresses): readonly string[] => [
  'Serving the sessions of this workspace. Nothing but this machine can connect.',
  `  here       ${local}/pair`,
  `  ssh        ssh -L ${port}:127.0.0.1:${port} ${hostname()}   then the address above, on the other machine`,
  ...(outside === null
    ? [
        `  tailscale  tailscale serve --bg ${port}   and serve.url: https://NAME.TAILNET.ts.net in your own configuration`,
      ]
    : [`  outside    ${outside.replace(/\/$/, '')}/${path}/pair`]),
  'Type `code` for a new code, `devices`, `revoke NAME`, or `quit`.',
];

const showCode = (cli: Cli, desk: Desk, { local, outside, path }: Addresses): void => {
  const { code } = desk.open();
  const base = outside === null ? local : `${outside.replace(/\/$/, '')}/${path}`;
  cli.print(`\n${renderUnicodeCompact(`${base}/pair#${code}`)}`);
  cli.print(`Pair a device within two minutes: ${code}\n`);
};

interface Running {
  readonly app: ServedApp;
  readonly desk: Desk;
  readonly kept: KeptFiles;
  readonly world: World;
  readonly addresses: Addresses;
}

/** Obeys what is typed, until `quit`, the end of the input or a signal. */
const untilEnded = (cli: Cli, running: Running): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      release();
      ignore();
      resolve();
    };
    const ignore = onProcessSignals(endSignals, end);
    const release = cli.typed.hold({
      ended: end,
      line: (text) => {
        const [verb = '', ...rest] = text.trim().split(/\s+/);
        if (verb === 'quit' || verb === 'q') end();
        else if (verb === 'code' || verb === '') showCode(cli, running.desk, running.addresses);
        else if (verb === 'devices')
          for (const line of deviceLines(running.kept, running.app.connected())) cli.print(line);
        else if (verb === 'revoke') cli.print(orSentence(() => revoke(running.kept, rest.join(' '))));
        else cli.print('Type `code`, `devices`, `revoke NAME` or `quit`.');
      },
    });
  });

/** A typing error does not end `serve`. */
const orSentence = (does: () => string): string => {
  try {
    return does();
  } catch (error) {
    if (error instanceof Exit) return error.message;
    throw error;
  }
};
