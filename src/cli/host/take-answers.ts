import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { toFault } from '../../base/fault.ts';
import { fromJson } from '../../base/json.ts';
import { peerProblem } from '../../base/process/peer.io.ts';
import { safe } from '../../base/safe.ts';
import type { Engine } from '../../engine/engine.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import { type Answer, answerSchema, answersPlace, longestLine, socketName } from '../session/answers/wire.ts';
import { sender } from '../session/publish.ts';
import type { World } from '../world.ts';

/** Bytes of a socket's path on the narrowest system. */
const longestPath = 103;
const mostScreens = 64;
const silenceMs = 10_000;

/**
 * Takes answers to permission requests from screens that are attached, over a socket that only this user can open, as long as the engine runs. Never
 * through a file, which an agent could write; each answer counts only from a process that has a terminal and that no agent started.
 */
export const takeAnswers = async (
  { env }: Pick<Cli, 'env'>,
  world: World,
  paths: SessionPaths,
  engine: Engine,
): Promise<void> => {
  const { folder, name } = answersPlace(env, paths);
  const file = join(folder, socketName(name, process.pid));
  if (Buffer.byteLength(file) > longestPath)
    return engine.noteProblem(notTaken(`the path of its socket is too long: ${file}`));
  try {
    world.disk.mkdir(folder);
    chmodSync(folder, 0o700);
    // Those of hosts that were killed.
    for (const old of readdirSync(folder).filter((each) => each.startsWith(`${name}-`)))
      rmSync(join(folder, old), { force: true });
    const server = createServer((socket) => converse(socket, `${join(folder, name)}-`, world, engine));
    server.maxConnections = mostScreens;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(file, resolve);
    });
    chmodSync(file, 0o600);
    server.unref();
    void engine.settled().then(() => server.close());
  } catch (error) {
    engine.noteProblem(notTaken(toFault(error).what));
  }
};

const notTaken = (why: string) => ({
  code: 'no-answers',
  what: `screens that attach cannot answer permission requests: ${why}`,
});

/** One question and one answer; a screen that watches then stays. Anything else closes the connection. */
const converse = (socket: Socket, stem: string, world: World, engine: Engine): void => {
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
    const answer = answerSchema.safeParse(fromJson(text.slice(0, end))).data;
    const refusal = answer === undefined ? 'this is no answer' : judged(engine, answer, proof);
    const reply = `${JSON.stringify({ refusal })}\n`;
    if (refusal !== null || answer?.type !== 'watch') return void socket.end(reply);
    socket.setTimeout(0);
    socket.removeAllListeners('data');
    // Whatever else it says is not heard.
    socket.resume();
    socket.on('close', engine.shown());
    socket.write(reply);
  });
  socket.write(`${JSON.stringify({ proof })}\n`);
};

const judged = (engine: Engine, answer: Answer, proof: string): string | null => {
  const problem = peerProblem(answer.pid, proof);
  rmSync(proof, { force: true });
  if (problem !== null) return `not accepted: ${problem}`;
  if (answer.type === 'device') return engine.confirmDevice(answer.device);
  const by = `${sender()} (attached screen, process ${answer.pid})`;
  if (answer.type === 'watch') return null;
  if (answer.type === 'revoke') {
    engine.revoke(answer.key, by);
    return null;
  }
  const { request, decision, why, device } = answer;
  const reply = { request, decision, ...(why === undefined ? {} : { why }) };
  return device === undefined
    ? engine.permit({ ...reply, by })
    : engine.permit({ ...reply, by: `${safe(device.name)} (device)`, device: device.id });
};
