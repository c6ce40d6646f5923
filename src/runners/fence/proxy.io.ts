import { chmodSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isAllowedHost } from './allowed-host.ts';

/** A proxy that is open. */
export interface OpenProxy {
  /** Hosts that were asked for and refused, once each. */
  readonly refused: () => readonly string[];
  close(): void;
}

/** Connections of one fence at a time. Further ones are closed. */
const mostConnections = 128;

/**
 * An HTTP proxy on a Unix socket for a fence without a network: it connects (`CONNECT host:443`) with the listed hosts and refuses everything else with
 * 403. It reads nothing of what passes: agents speak TLS with their model.
 */
export const openProxy = async (socket: string, hosts: readonly string[]): Promise<OpenProxy> => {
  const refused = new Set<string>();
  // A static import of this module reads every export of it, and with them loads the HTTP client: 40 ms at each start.
  const { createServer: createHttpServer } = await import('node:http');
  const server = createHttpServer((_request, response) => {
    response.writeHead(403).end('This sandbox allows only encrypted connections to listed hosts.\n');
  });
  server.on('connect', (request: IncomingMessage, near: Duplex, head: Buffer) => {
    const [, host = '', port = ''] = /^\[?([^\]]+?)\]?:(\d+)$/u.exec(request.url ?? '') ?? [];
    near.on('error', () => undefined);
    if (!isAllowedHost(hosts, host, Number(port))) {
      if (refused.size < 1_000) refused.add(host);
      near.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const far = connect(Number(port), host, () => {
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      far.write(head);
      far.pipe(near).pipe(far);
    });
    far.on('error', () => near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    near.on('close', () => far.destroy());
  });
  // What is fenced in must not use up the files that this process may open.
  server.maxConnections = mostConnections;
  await listen(server, socket);
  chmodSync(socket, 0o600);
  return {
    refused: () => [...refused],
    close: () => {
      server.close();
      server.closeAllConnections();
      rmSync(socket, { force: true });
    },
  };
};

/**
 * Inside the fence: the port of each entry is open on its own loopback, and leads through the proxy's socket to the machine's. Programs ask no proxy for
 * loopback, and speak without TLS there.
 */
export const openLoopback = async (socket: string, entries: readonly string[]): Promise<void> => {
  for (const entry of entries) {
    const server = createServer((near: Socket) => {
      const far = connect(socket, () => far.write(`CONNECT ${entry} HTTP/1.1\r\nHost: ${entry}\r\n\r\n`));
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
      void answered(far).then((isOpen) => {
        if (isOpen) near.pipe(far).pipe(near);
        else near.destroy();
      });
    });
    await listen(server, Number(entry.slice(entry.lastIndexOf(':') + 1)));
    server.unref();
  }
};

/** Reads the proxy's answer off the connection: whether it is open. */
const answered = (far: Socket): Promise<boolean> =>
  new Promise((resolve) => {
    let head = '';
    const read = (bytes: Buffer): void => {
      head += bytes.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      far.off('data', read);
      far.pause();
      if (head.length > end + 4) far.unshift(Buffer.from(head.slice(end + 4), 'latin1'));
      resolve(head.startsWith('HTTP/1.1 200 '));
    };
    far.on('data', read);
    far.on('close', () => resolve(false));
  });

/** Inside the fence: a loopback port whose connections go to the proxy's socket. Returns its address as `http://127.0.0.1:PORT`. */
export const joinProxy = async (socket: string): Promise<string> => {
  const server = createServer((near: Socket) => {
    const far = connect(socket);
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  await listen(server, 0);
  server.unref();
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
};

const listen = (server: Server, at: string | number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    if (typeof at === 'string') server.listen(at, resolve);
    else server.listen(at, '127.0.0.1', resolve);
  });
