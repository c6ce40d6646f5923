import type { Socket } from 'node:net';
import { toFault } from '../../base/fault.ts';
import { fromJson } from '../../base/json.ts';
import { peerProblem } from '../../base/process/peer.io.ts';
import type { Cli } from '../cli.ts';
import { Exit } from '../cli.ts';
import { type DeskAsk, type DeskReply, type DeskShown, deskAskSchema } from '../session/answers/ask-desk.ts';
import { listenProven } from '../session/answers/proven-socket.ts';
import { servePlace } from '../session/answers/wire.ts';
import type { World } from '../world.ts';
import type { Desk } from './desk.ts';
import { revoke } from './devices.ts';
import type { KeptFiles } from './kept-files.ts';

export interface DeskSocketPorts {
  readonly env: Cli['env'];
  readonly world: World;
  readonly workspace: string;
  readonly desk: Desk;
  readonly kept: KeptFiles;
  readonly addresses: readonly string[];
  /** Names of devices that look at a page now. */
  readonly connected: () => readonly string[];
  readonly note: (text: string) => void;
}

/**
 * Shows address, code and devices to screens of this workspace, over a socket: an agent could read a file, and a code that it knows pairs a device.
 * Returns the function that ends it.
 */
export const openDeskSocket = async (ports: DeskSocketPorts): Promise<() => void> => {
  const { env, world, workspace, note } = ports;
  try {
    const server = await listenProven(world, servePlace(env, workspace), (line, proof, socket) =>
      reply(ports, line, proof, socket),
    );
    return () => server.close();
  } catch (error) {
    note(`Screens cannot show this \`serve\`: ${toFault(error).what}`);
    return () => {};
  }
};

const reply = (ports: DeskSocketPorts, line: string, proof: string, socket: Socket): void => {
  const ask = deskAskSchema.safeParse(fromJson(line)).data;
  const problem = ask === undefined ? 'this is not a question' : peerProblem(ask.pid, proof);
  const said: DeskReply =
    ask === undefined || problem !== null
      ? { refusal: `Not shown: ${problem ?? 'this is not a question'}` }
      : answerOf(ports, ask);
  socket.end(`${JSON.stringify(said)}\n`);
};

/** What a person at a screen gets. */
export const answerOf = (
  ports: Pick<DeskSocketPorts, 'addresses' | 'connected' | 'desk' | 'kept'>,
  ask: DeskAsk,
): DeskReply => {
  if (ask.type === 'code') ports.desk.open();
  try {
    if (ask.type === 'revoke') revoke(ports.kept, ask.device);
  } catch (error) {
    if (error instanceof Exit) return { refusal: `Not revoked: ${error.message}` };
    throw error;
  }
  return { shown: shownOf(ports) };
};

const shownOf = ({
  addresses,
  connected,
  desk,
  kept,
}: Pick<DeskSocketPorts, 'addresses' | 'connected' | 'desk' | 'kept'>): DeskShown => ({
  addresses,
  code: desk.code()?.code ?? null,
  devices: kept.read().devices.map(({ id, name, scope }) => ({
    id,
    name,
    scope,
    isConnected: connected().includes(name),
  })),
});
