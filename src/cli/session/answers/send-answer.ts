import { closeSync, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fromJson } from '../../../base/json.ts';
import type { SessionPaths } from '../../../session/paths.ts';
import type { Cli } from '../../cli.ts';
import type { World } from '../../world.ts';
import { hostOf } from '../open-session.ts';
import { type Answer, answersPlace, challengeSchema, longestLine, resultSchema, socketName } from './wire.ts';

type WithoutPid<T> = T extends unknown ? Omit<T, 'pid'> : never;

/** Gives a key of this screen to the program that runs the session. Resolves with `null` when it counted, else with the reason why not. */
export const sendAnswer = async (
  env: Cli['env'],
  world: World,
  paths: SessionPaths,
  answer: WithoutPid<Answer>,
): Promise<string | null> => {
  const { refusal, socket } = await speak(env, world, paths, answer);
  socket.destroy();
  return refusal;
};

/** Milliseconds between two tries to reach the host. */
const againMs = 2_000;

/**
 * Says to the program that runs the session, and to each that runs it later, that a screen shows it (`permissions.unattended`). A host that takes no
 * answers does not hear it. Returns the function that ends it.
 */
export const sayShown = (env: Cli['env'], world: World, paths: SessionPaths): (() => void) => {
  let isOver = false;
  let socket: Socket | null = null;
  let cancel = (): void => {};
  const later = (): void => {
    socket = null;
    if (!isOver) cancel = world.clock.after(againMs, say);
  };
  const say = (): void => {
    if (hostOf(world, paths)?.alive !== true) later();
    else speak(env, world, paths, { type: 'watch' }).then(stay, later);
  };
  const stay = (said: Said): void => {
    socket = said.socket.unref().setTimeout(0).on('close', later);
    if (isOver || said.refusal !== null) socket.destroy();
  };
  say();
  return () => {
    isOver = true;
    cancel();
    socket?.destroy();
  };
};

interface Said {
  readonly refusal: string | null;
  readonly socket: Socket;
}

const speak = (
  env: Cli['env'],
  world: World,
  paths: SessionPaths,
  answer: WithoutPid<Answer>,
): Promise<Said> =>
  new Promise((resolve, reject) => {
    const host = hostOf(world, paths);
    if (host?.alive !== true) return reject(new Error('No process is running the session'));
    const { folder, name } = answersPlace(env, paths);
    const socket = connect(join(folder, socketName(name, host.pid)));
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
        socket.write(`${JSON.stringify({ ...answer, pid: process.pid })}\n`);
        return;
      }
      const result = resultSchema.safeParse(fromJson(line)).data;
      if (result === undefined) fail('The program that runs the session gave an unknown reply');
      else settle(() => resolve({ refusal: result.refusal, socket }));
    };
    socket.setTimeout(10_000, () => fail('The program that runs the session does not reply'));
    socket.on('error', () => fail('The program that runs the session takes no answers from other screens'));
    socket.on('close', () => fail('The program that runs the session closed the connection'));
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => {
      text += piece;
      if (text.length > longestLine) return fail('The program that runs the session gave an unknown reply');
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      try {
        for (const line of lines) take(line);
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error));
      }
    });
  });
