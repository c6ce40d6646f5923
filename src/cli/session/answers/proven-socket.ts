import { chmodSync, closeSync, openSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { fromJson } from '../../../base/json.ts';
import type { World } from '../../world.ts';
import { challengeSchema, longestLine, type ProvenPlace, socketName } from './wire.ts';

/** Bytes of a socket's path on the narrowest system. */
const longestPath = 103;
const mostConnections = 64;
const silenceMs = 10_000;

/**
 * Listens on a socket that only this user can open, for processes that hold the file that they are told: `hear` gets the one line that such a process
 * says, and the name of the file, by which `peerProblem` judges it. Throws where it cannot listen.
 */
export const listenProven = async (
  world: World,
  { folder, name }: ProvenPlace,
  hear: (line: string, proof: string, socket: Socket) => void,
): Promise<Server> => {
  const file = join(folder, socketName(name, process.pid));
  if (Buffer.byteLength(file) > longestPath) throw new Error(`the path of its socket is too long: ${file}`);
  world.disk.mkdir(folder);
  chmodSync(folder, 0o700);
  // Those of programs that were killed.
  for (const old of readdirSync(folder).filter((each) => each.startsWith(`${name}-`)))
    rmSync(join(folder, old), { force: true });
  const server = createServer((socket) => converse(socket, `${join(folder, name)}-`, world, hear));
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(file, resolve);
  });
  chmodSync(file, 0o600);
  return server.unref();
};

/** One line in each direction; anything else closes the connection. */
const converse = (
  socket: Socket,
  stem: string,
  world: World,
  hear: (line: string, proof: string, socket: Socket) => void,
): void => {
  const proof = `${stem}${world.random.hex(32)}`;
  let text = '';
  socket.unref();
  socket.setTimeout(silenceMs, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => rmSync(proof, { force: true }));
  socket.setEncoding('utf8');
  socket.on('data', (piece: string) => {
    text += piece;
    const end = text.indexOf('\n');
    if (text.length > longestLine) socket.destroy();
    if (end < 0 || socket.destroyed || socket.writableEnded) return;
    hear(text.slice(0, end), proof, socket);
    rmSync(proof, { force: true });
  });
  socket.write(`${JSON.stringify({ proof })}\n`);
};

/** What a program replied on such a socket, which is still open. */
export interface Replied {
  readonly reply: unknown;
  readonly socket: Socket;
}

/** Says one thing to the program that listens there, and proves which process says it. `who`: that program, as the subject of an error. */
export const sayProven = (
  { folder, name, pid }: ProvenPlace & { readonly pid: number },
  message: object,
  who: string,
): Promise<Replied> =>
  new Promise((resolve, reject) => {
    const socket = connect(join(folder, socketName(name, pid)));
    let text = '';
    let proof: number | null = null;
    const settle = (done: () => void): void => {
      if (proof !== null) closeSync(proof);
      proof = null;
      done();
    };
    const fail = (what: string): void =>
      settle(() => {
        socket.destroy();
        reject(new Error(what));
      });
    const take = (line: string): void => {
      const asked = challengeSchema.safeParse(fromJson(line)).data;
      if (proof === null && asked?.proof.startsWith(`${join(folder, name)}-`) === true) {
        proof = openSync(asked.proof, 'wx', 0o600);
        socket.write(`${JSON.stringify({ ...message, pid: process.pid })}\n`);
      } else settle(() => resolve({ reply: fromJson(line), socket }));
    };
    socket.setTimeout(10_000, () => fail(`${who} does not reply`));
    socket.on('error', () => fail(`${who} takes no answers from other screens`));
    socket.on('close', () => fail(`${who} closed the connection`));
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => {
      text += piece;
      if (text.length > longestLine) return fail(`${who} gave an unknown reply`);
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      try {
        for (const line of lines) take(line);
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error));
      }
    });
  });
