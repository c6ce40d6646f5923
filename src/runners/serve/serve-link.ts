import { createLink } from '../link/link.ts';
import { createPeer } from '../link/peer.io.ts';
import type { LinkState, Pipe, PipeEnd } from '../link/pipe.ts';
import { noticesToRunner } from '../wire/to-runner.ts';
import { createServer } from './serve.ts';
import type { ServePorts } from './serving.ts';

interface ServeLinkPorts extends ServePorts {
  /** A random name of this process. */
  readonly self: string;
  /** This program and its version. */
  readonly program: string;
  /** Whether the work outlives a connection. Without it, the end of the first connection ends everything. */
  readonly keeps: boolean;
  /** Called once, when nothing is left to do and everything is stopped. */
  readonly over: () => void;
}

/** Milliseconds without a host after which a runner without work ends. */
const idleMs = 60_000;

/** Serves one link. Each connection that a carrier brings is attached to it. */
export const serveLink = (ports: ServeLinkPorts): { attach(pipe: Pipe): PipeEnd; end(): Promise<void> } => {
  const { clock, keeps } = ports;
  let cancel = (): void => undefined;
  let ended: Promise<void> | null = null;

  const end = (): Promise<void> => {
    cancel();
    // What its host has not taken is kept, however the link ends.
    ended ??= server
      .orphan()
      .then(server.end)
      .finally(() => link.close())
      .finally(ports.over);
    return ended;
  };

  /** Without a host for `orphanAfterMs` the agents are stopped and their work is kept. */
  const waitForHost = (): void => {
    cancel();
    if (ended !== null) return;
    const waits = [...server.jobs.values()].map(({ orphanAfterMs }) => orphanAfterMs);
    cancel = clock.after(waits.length === 0 ? idleMs : Math.max(...waits), () => void end());
  };

  const changed = (state: LinkState): void => {
    if (state.kind === 'reachable') cancel();
    else if (state.kind === 'broken' || !keeps) void end();
    else waitForHost();
  };

  const link = createLink({
    clock,
    self: ports.self,
    program: ports.program,
    deliver: (body) => peer.take(body),
    changed,
  });
  const peer = createPeer({
    send: (body, kind) => link.send(body, kind),
    // The host is the same program, or a newer one: what it does not understand it refuses by itself.
    odd: () => undefined,
  });
  const server = createServer(ports, peer);
  peer.on(noticesToRunner.bye, () => {
    if (server.jobs.size === 0) void end();
  });
  if (keeps) waitForHost();
  return { attach: (pipe) => link.attach(pipe), end };
};
