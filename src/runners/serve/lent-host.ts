import type { BackendHost } from '../../agents/port.ts';
import type { Clock } from '../../base/clock.ts';
import type { Peer } from '../link/peer.io.ts';
import { pieceBytes } from '../wire/fields.ts';
import { noticesToHost, toHost } from '../wire/to-host.ts';

interface LentHostPorts {
  readonly peer: Peer;
  readonly clock: Clock;
  readonly invocation: string;
}

/** Milliseconds between two signs of life of one worker. */
const heardEveryMs = 2_000;

/** Process ids of another machine mean nothing on the host. */
const localFacts: ReadonlySet<string> = new Set(['process.started', 'agent.process-started']);

/**
 * The engine's services as a worker on a runner sees them: each call is a message to the host, which decides. While the link is down, requests wait and
 * the agent works on.
 */
export const lentHost = ({ peer, clock, invocation }: LentHostPorts): BackendHost => {
  let heardAt = Number.NEGATIVE_INFINITY;
  const answers = new Map<string, ReturnType<NonNullable<BackendHost['session']>['ask']>>();
  return {
    emit: (fact) => {
      if (!localFacts.has(fact.type)) peer.notify(noticesToHost.fact, { invocation, fact });
    },
    output: (bytes, stream) => {
      for (let from = 0; from < bytes.length; from += pieceBytes) {
        const data = Buffer.from(bytes.subarray(from, from + pieceBytes)).toString('base64');
        peer.notify(noticesToHost.output, { invocation, stream, data });
      }
    },
    heard: () => {
      if (clock.monotonic() - heardAt < heardEveryMs) return;
      heardAt = clock.monotonic();
      peer.notify(noticesToHost.heard, { invocation });
    },
    permission: (ask, over) =>
      peer.request(toHost.permission, { invocation, ask }, over).then(
        ({ answer }) => answer,
        () => 'cancelled' as const,
      ),
    held: () => peer.request(toHost.held, { invocation }).then(nothing, nothing),
    released: () => peer.request(toHost.released, { invocation }).then(nothing, nothing),
    session: {
      tasks: async () => (await peer.request(toHost.tasks, { invocation })).tasks,
      report: async (task) => (await peer.request(toHost.report, { invocation, task })).text,
      note: (update) => peer.notify(noticesToHost.note, { invocation, update }),
      ask: (question) => {
        const known = answers.get(question.question);
        if (known) return known;
        const answered = peer.request(toHost.ask, { invocation, question }).then(
          ({ answer }) => answer,
          () => null,
        );
        const asked = { request: `question-${answers.size + 1}`, answered };
        answers.set(question.question, asked);
        return asked;
      },
      stage: (note) => peer.request(toHost.stage, { invocation, note }),
    },
  };
};

const nothing = (): void => undefined;
