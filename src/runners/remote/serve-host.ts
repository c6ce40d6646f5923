import type { BackendHost, Directive } from '../../agents/port.ts';
import { FaultError } from '../../base/fault.ts';
import type { Peer } from '../link/peer.io.ts';
import { noticesToHost, toHost } from '../wire/to-host.ts';

/** One invocation that works on a runner, as the host answers for it. */
export interface Lent {
  readonly host: BackendHost;
  /** The boundary of the turn that runs; between turns nothing passes one. */
  readonly boundary: () => Promise<Directive>;
  /** A path of the runner as the host names it. */
  readonly pathHere: (path: string) => string;
  /** The runner's name, for questions about permissions. */
  readonly runner: string;
}

/** Answers what a runner asks about its invocations. Every decision is the engine's: the runner only says what it wants. */
export const serveHost = (peer: Peer, lent: ReadonlyMap<string, Lent>): void => {
  const of = (invocation: string): Lent => {
    const found = lent.get(invocation);
    if (found) return found;
    throw new FaultError({ code: 'no-invocation', what: `${invocation} is not running on this runner` });
  };
  const session = (invocation: string) => {
    const found = of(invocation).host.session;
    if (found) return found;
    throw new FaultError({ code: 'no-tools', what: `${invocation} has no tools` });
  };

  peer.handle(toHost.boundary, async ({ invocation }) => of(invocation).boundary());
  peer.handle(toHost.permission, async ({ invocation, ask }, over) => {
    const { host, pathHere, runner } = of(invocation);
    const { memory } = ask;
    const here = {
      ...ask,
      directory: pathHere(ask.directory),
      root: pathHere(ask.root),
      paths: ask.paths.map(pathHere),
      diffs: ask.diffs.map((diff) => ({ ...diff, path: pathHere(diff.path) })),
      notes: [`This would happen on the runner ${runner}.`, ...ask.notes],
      memory: 'identity' in memory ? { identity: `${runner}\0${memory.identity}` } : memory,
    };
    return { answer: (await host.permission?.(here, over)) ?? 'refuse' };
  });
  peer.handle(toHost.held, async ({ invocation }) => {
    await of(invocation).host.held?.();
    return {};
  });
  peer.handle(toHost.released, async ({ invocation }) => {
    await of(invocation).host.released?.();
    return {};
  });
  peer.handle(toHost.tasks, async ({ invocation }) => ({ tasks: await session(invocation).tasks() }));
  peer.handle(toHost.report, async ({ invocation, task }) => ({
    text: await session(invocation).report(task),
  }));
  peer.handle(toHost.ask, async ({ invocation, question }) => ({
    answer: await session(invocation).ask(question).answered,
  }));
  peer.handle(toHost.stage, async ({ invocation, note }) => session(invocation).stage(note));

  peer.on(noticesToHost.fact, ({ invocation, fact }) => lent.get(invocation)?.host.emit(fact));
  peer.on(noticesToHost.heard, ({ invocation }) => lent.get(invocation)?.host.heard?.());
  peer.on(noticesToHost.note, ({ invocation, update }) =>
    lent.get(invocation)?.host.session?.note(given(update)),
  );
  peer.on(noticesToHost.output, ({ invocation, stream, data }) =>
    lent.get(invocation)?.host.output(Buffer.from(data, 'base64'), stream),
  );
  peer.on(noticesToHost.dropped, ({ bytes, invocation, stream }) => {
    const text = `\n[${bytes} bytes of output were dropped while the link was down]\n`;
    lent.get(invocation)?.host.output(new TextEncoder().encode(text), stream);
  });
};

const given = ({
  note,
  metadata,
}: {
  readonly note?: string | undefined;
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | undefined;
}) => ({ ...(note === undefined ? {} : { note }), ...(metadata === undefined ? {} : { metadata }) });
