import { readFileSync } from 'node:fs';
import pg from 'pg';
import { type Fault, FaultError } from '../../base/fault.ts';

/** One PostgreSQL, as a host or a runner uses it. */
export interface Database {
  /** Rejects with a `FaultError` that never holds the URL. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The same for pg-boss, which knows the driver's errors. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
  /** Calls `heard` after each notification of a channel, over a connection of its own: poolers of transactions lose them. Polling makes up for what is missed. */
  listen(channels: readonly string[], heard: (channel: string) => void): void;
  /** Resolves when its connections are closed. */
  close(): Promise<void>;
}

export type Row = Readonly<Record<string, unknown>>;

/** Milliseconds for a connection, and for one statement. */
const connectMs = 10_000;
const statementMs = 30_000;
/** Milliseconds before a lost connection for notifications is made anew. */
const listenAgainMs = 5_000;

/** Opens connections when something is asked. Throws a `FaultError` for a URL that is none, or that would send passwords and rows over a network in the clear. */
export const openDatabase = (url: string, connections: number): Database => {
  const config = { ...readUrl(url), application_name: 'ralph-tui', connectionTimeoutMillis: connectMs };
  const pool = new pg.Pool({
    ...config,
    max: connections,
    statement_timeout: statementMs,
    query_timeout: statementMs + connectMs,
    keepAlive: true,
  });
  // A connection that dies while nothing uses it: the next statement opens another one.
  pool.on('error', () => undefined);
  let listener: pg.Client | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const listen = (channels: readonly string[], heard: (channel: string) => void): void => {
    if (closed) return;
    const client = new pg.Client({ ...config, keepAlive: true });
    listener = client;
    const again = (): void => {
      if (closed || listener !== client) return;
      listener = null;
      timer = setTimeout(() => listen(channels, heard), listenAgainMs);
    };
    client.on('error', again);
    client.on('end', again);
    client.on('notification', ({ channel }) => heard(channel));
    client
      .connect()
      .then(() => client.query(channels.map((channel) => `listen ${channel}`).join('; ')))
      // Earlier notifications are not told.
      .then(() => channels.forEach(heard))
      .catch(again);
  };

  const executeSql = async (text: string, values?: unknown[]): Promise<{ rows: Row[] }> => {
    // Several statements have a result each.
    const result: pg.QueryResult<Row> | readonly pg.QueryResult<Row>[] = await pool.query<Row>(text, values);
    return { rows: Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows };
  };

  return {
    executeSql,
    query: async (text, values) => {
      try {
        return (await executeSql(text, values === undefined ? undefined : [...values])).rows;
      } catch (error) {
        throw new FaultError(databaseFault(error));
      }
    },
    listen,
    close: async () => {
      if (closed) return;
      closed = true;
      clearTimeout(timer);
      await Promise.allSettled([pool.end(), listener?.end()]);
    },
  };
};

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.') || host.startsWith('/');

/** The parts of a URL. Other machines are reached by TLS whose certificate is checked. */
const readUrl = (text: string): pg.ClientConfig => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^postgres(?:ql)?:$/u.test(url.protocol)) throw new FaultError(noUrl);
  const host = url.searchParams.get('host') ?? (url.hostname.replace(/^\[|\]$/gu, '') || 'localhost');
  const mode = url.searchParams.get('sslmode');
  const root = url.searchParams.get('sslrootcert');
  const isNear = isLoopback(host);
  if (!isNear && mode !== null && !['require', 'verify-ca', 'verify-full'].includes(mode))
    throw new FaultError(inTheClear(mode));
  const certificate = root === null ? {} : { ca: readCertificate(root) };
  const password = decodeURIComponent(url.password);
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    user: decodeURIComponent(url.username),
    ...(password === '' ? {} : { password }),
    database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
    ssl: isNear ? false : { rejectUnauthorized: true, ...certificate },
  };
};

const readCertificate = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new FaultError({
      code: 'pool-certificate',
      what: 'the certificate that `sslrootcert` of the URL names cannot be read',
      where: file,
    });
  }
};

const noUrl: Fault = {
  code: 'pool-url',
  what: "the pool's URL is not one of PostgreSQL",
  hint: 'it has the form postgres://USER:PASSWORD@HOST/DATABASE',
};

const inTheClear = (mode: string): Fault => ({
  code: 'pool-no-tls',
  what: `\`sslmode=${mode}\` of the pool's URL would not protect the connection`,
  hint: 'leave it out; only a database on this machine is reached without TLS',
});

/** What went wrong, without the words of the driver that may hold a host name or a password. */
export const databaseFault = (error: unknown): Fault => {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
  const what = error instanceof Error ? error.message : String(error);
  if (code === '28P01' || code === '28000')
    return {
      code: 'pool-login',
      what: "the pool's database refused the login",
      hint: 'check user and password of its URL',
    };
  if (code === '3D000') return { code: 'pool-database', what: "the pool's database does not exist" };
  if (code === '42P01' || code === '3F000')
    return {
      code: 'pool-tables',
      what: 'that database is no pool yet',
      hint: 'run `ralph-tui pool init` on it once',
    };
  if (code === '42501')
    return { code: 'pool-rights', what: "the role of the pool's URL may not do that", hint: what };
  if (code !== undefined && /^[0-9A-Z]{5}$/u.test(code) && !code.startsWith('57') && !code.startsWith('08'))
    return { code: 'pool-statement', what: `the pool's database refused a statement: ${what}` };
  return {
    code: 'pool-unreachable',
    what: `the pool's database was not reached${code === undefined ? '' : ` (${code})`}`,
    hint: 'start it, or check the URL',
  };
};
