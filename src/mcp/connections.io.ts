import type { Socket } from 'node:net';

/** Connections that have shown no token yet. On loopback a client shows it within milliseconds. */
const mostUnproven = 64;

/** Connections of one worker. Its client holds one stream, and one connection for each call that waits. */
const mostOfOne = 32;

/**
 * Keeps room for every worker: silent connections, whoever opened them, push out each other only. The oldest of too many is closed.
 */
export interface Connections {
  opened(socket: Socket): void;
  /** The connection showed a worker's token; `key` names the worker. */
  proven(socket: Socket, key: string): void;
}

export const createConnections = (): Connections => {
  const groups = new Map<string, Set<Socket>>();
  const groupOf = new Map<Socket, string>();
  const leave = (socket: Socket): void => {
    const key = groupOf.get(socket) ?? '';
    groupOf.delete(socket);
    groups.get(key)?.delete(socket);
    if (groups.get(key)?.size === 0) groups.delete(key);
  };
  const join = (socket: Socket, key: string, most: number): void => {
    const group = groups.get(key) ?? new Set<Socket>();
    groups.set(key, group.add(socket));
    groupOf.set(socket, key);
    for (const oldest of group) {
      if (group.size <= most) break;
      leave(oldest);
      oldest.destroy();
    }
  };
  return {
    opened: (socket) => {
      join(socket, unproven, mostUnproven);
      socket.once('close', () => leave(socket));
    },
    proven: (socket, key) => {
      if (groupOf.get(socket) === key || socket.destroyed) return;
      leave(socket);
      join(socket, key, mostOfOne);
    },
  };
};

/** No key of a worker is empty. */
const unproven = '';
