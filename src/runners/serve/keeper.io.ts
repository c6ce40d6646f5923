import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createLines } from '../carriers/lines.ts';
import type { Pipe, PipeEnd } from '../link/pipe.ts';

/** The most bytes of a socket's path on Linux and macOS. */
const longestSocket = 100;

/** The socket of a link's keeper. A long state directory is replaced by a private one below the temporary directory. */
export const socketOf = (directory: string, link: string): string => {
  const near = join(directory, `${link}.sock`);
  const place = near.length <= longestSocket ? directory : join(tmpdir(), `ralph-tui-${userInfo().uid}`);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  chmodSync(place, 0o700);
  return join(place, `${link}.sock`);
};

/** Lines of a pair of streams as a connection of a link. */
export const attachStreams = (
  input: Readable,
  output: Writable,
  attach: (pipe: Pipe) => PipeEnd,
  close: () => void,
): void => {
  const end = attach({
    write: (line) => {
      if (output.writable) output.write(`${line}\n`);
    },
    close,
  });
  const lines = createLines((text) => end.line(text ?? '{'));
  input.on('data', (bytes: Buffer) => lines(bytes));
  input.on('close', () => end.ended(null));
  input.on('end', () => end.ended(null));
  input.on('error', () => end.ended(null));
  output.on('error', () => end.ended(null));
};

/** Keeps a link: each connection to the socket carries it on. Resolves when `over` does; the socket is then gone. */
export const keepLink = async (
  socket: string,
  attach: (pipe: Pipe) => PipeEnd,
  over: Promise<void>,
): Promise<void> => {
  rmSync(socket, { force: true });
  const server = createServer((connection: Socket) =>
    attachStreams(connection, connection, attach, () => connection.destroy()),
  );
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(socket, resolve);
  });
  chmodSync(socket, 0o600);
  await over;
  server.close();
  rmSync(socket, { force: true });
};

/**
 * Ends a link whose host is gone: the hello of another side tells its keeper so, which stops its agents and keeps what they changed. Resolves when the keeper
 * has ended, or when it takes too long.
 */
export const endKeeper = async (socket: string, hello: string): Promise<void> => {
  const connection = await tryConnect(socket);
  if (connection === null) return;
  connection.on('error', () => connection.destroy());
  connection.write(`${hello}\n`);
  for (let waited = 0; existsSync(socket) && waited < tryForMs; waited += tryEveryMs)
    await new Promise((resolve) => setTimeout(resolve, tryEveryMs));
  connection.destroy();
};

/** How often a keeper's socket is tried, and how long. */
const tryEveryMs = 25;
const tryForMs = 20_000;

/**
 * Connects a carrier's streams with the keeper of a link, and starts the keeper where there is none. The keeper is a process of its own: it and the agents
 * outlive the connection. Resolves with the exit code when the connection ends.
 */
export const joinKeeper = async (
  socket: string,
  keeper: readonly string[],
  streams: { readonly input: Readable; readonly output: Writable },
): Promise<number> => {
  const connection = (await tryConnect(socket)) ?? (await startKeeper(socket, keeper));
  if (connection === null) return 1;
  streams.input.pipe(connection);
  connection.pipe(streams.output);
  return new Promise((resolve) => {
    connection.on('close', () => resolve(0));
    connection.on('error', () => resolve(1));
    streams.input.on('end', () => connection.end());
    streams.output.on('error', () => connection.destroy());
  });
};

const startKeeper = async (
  socket: string,
  [program = '', ...words]: readonly string[],
): Promise<Socket | null> => {
  spawn(program, words, { detached: true, stdio: 'ignore' }).unref();
  for (let waited = 0; waited < tryForMs; waited += tryEveryMs) {
    await new Promise((resolve) => setTimeout(resolve, tryEveryMs));
    const connection = await tryConnect(socket);
    if (connection !== null) return connection;
  }
  return null;
};

const tryConnect = (socket: string): Promise<Socket | null> =>
  new Promise((resolve) => {
    const connection = connect(socket);
    connection.once('connect', () => resolve(connection));
    connection.once('error', () => resolve(null));
  });
