import type { Socket } from 'node:net';
import type { SessionPaths } from '../../../session/paths.ts';
import type { Cli } from '../../cli.ts';
import type { World } from '../../world.ts';
import { hostOf } from '../open-session.ts';
import { sayProven } from './proven-socket.ts';
import { type Answer, answersPlace, resultSchema } from './wire.ts';

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

const who = 'The program that runs the session';

const speak = async (
  env: Cli['env'],
  world: World,
  paths: SessionPaths,
  answer: WithoutPid<Answer>,
): Promise<Said> => {
  const host = hostOf(world, paths);
  if (host?.alive !== true) throw new Error('No process is running the session');
  const { reply, socket } = await sayProven({ ...answersPlace(env, paths), pid: host.pid }, answer, who);
  const result = resultSchema.safeParse(reply).data;
  if (result !== undefined) return { refusal: result.refusal, socket };
  socket.destroy();
  throw new Error(`${who} gave an unknown reply`);
};
