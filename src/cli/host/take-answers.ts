import type { Socket } from 'node:net';
import { toFault } from '../../base/fault.ts';
import { fromJson } from '../../base/json.ts';
import { peerProblem } from '../../base/process/peer.io.ts';
import { safe } from '../../base/safe.ts';
import type { Engine } from '../../engine/engine.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import { listenProven } from '../session/answers/proven-socket.ts';
import { type Answer, answerSchema, answersPlace } from '../session/answers/wire.ts';
import { sender } from '../session/publish.ts';
import type { World } from '../world.ts';

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
  try {
    const server = await listenProven(world, answersPlace(env, paths), (line, proof, socket) =>
      hear(engine, line, proof, socket),
    );
    void engine.settled().then(() => server.close());
  } catch (error) {
    engine.noteProblem(notTaken(toFault(error).what));
  }
};

const notTaken = (why: string) => ({
  code: 'no-answers',
  what: `screens that attach cannot answer permission requests: ${why}`,
});

/** A screen that watches stays. */
const hear = (engine: Engine, line: string, proof: string, socket: Socket): void => {
  const answer = answerSchema.safeParse(fromJson(line)).data;
  const refusal = answer === undefined ? 'this is not an answer' : judged(engine, answer, proof);
  const reply = `${JSON.stringify({ refusal })}\n`;
  if (refusal !== null || answer?.type !== 'watch') return void socket.end(reply);
  socket.setTimeout(0);
  socket.removeAllListeners('data');
  // Whatever else it says is not heard.
  socket.resume();
  socket.on('close', engine.shown());
  socket.write(reply);
};

const judged = (engine: Engine, answer: Answer, proof: string): string | null => {
  const problem = peerProblem(answer.pid, proof);
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
