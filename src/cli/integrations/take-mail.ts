import { messageOf } from '../../agents/message-of.ts';
import type { Directive, Message } from '../../agents/port.ts';
import { formatTimestamp } from '../../base/clock.ts';
import { isComplete } from '../../session/status.ts';
import type { Claim, Mailbox } from '../../signals/mailbox.ts';
import type { Agent } from '../../signals/signal.ts';
import { type Cli, usage } from '../cli.ts';
import type { OpenSession } from '../session/open-session.ts';
import { openMailbox } from '../session/publish.ts';
import { lookForMail } from './waiting.ts';

/** The mail of one agent of another program, for as long as it is connected. */
interface OutsideMail {
  /** What stands in the way or waits to be read. With a task, whole messages are claimed; else each is shown once. */
  boundary(session: OpenSession, task: string | null): Promise<Directive>;
  reached(messages: readonly Message[]): void;
  missed(messages: readonly Message[]): void;
  /** A signal of its own is no news to it. */
  sent(id: string): void;
}

interface Taken {
  readonly mailbox: Mailbox;
  readonly claim: Claim;
  readonly task: string;
  readonly session: OpenSession;
}

/** `role`: `null` for a program that watches; a hold is not in its way. */
export const createOutsideMail = (env: Cli['env'], role: Agent | null): OutsideMail => {
  const taken = new Map<string, Taken>();
  const shown = new Set<string>();
  return {
    boundary: async (session, task) => {
      const mailbox = openMailbox(env, session);
      const { standstill, messages } = await lookForMail(session, mailbox, role ?? 'Orchestrator', task);
      if (role !== null) {
        if (standstill) return { kind: standstill.kind === 'held' ? 'pause' : 'abort' };
        refuseComplete(session);
      }
      const own = messages.flatMap(({ pendingSignal, whole }): readonly Message[] => {
        if (shown.has(pendingSignal.id)) return [];
        if (role !== null && task !== null && whole) {
          const claim = mailbox.claim(pendingSignal);
          if (typeof claim === 'string') return [];
          taken.set(pendingSignal.id, { mailbox, claim, task, session });
        } else shown.add(pendingSignal.id);
        return [messageOf(pendingSignal)];
      });
      return { kind: 'go', messages: own };
    },
    reached: (messages) => {
      for (const { id } of messages) {
        const mine = taken.get(id);
        taken.delete(id);
        if (mine && role !== null) archive(mine, role);
      }
    },
    missed: (messages) => {
      for (const { id } of messages) {
        const mine = taken.get(id);
        taken.delete(id);
        shown.delete(id);
        if (mine) mine.mailbox.putBack(mine.claim);
      }
    },
    sent: (id) => void shown.add(id),
  };
};

const archive = ({ mailbox, claim, task, session }: Taken, role: Agent): void => {
  const fault = mailbox.archive(claim, {
    outcome: 'handled',
    handled_by: `Ralph-v2-${role}`,
    handled_at: formatTimestamp(session.world.clock),
    action_taken: `delivered in the result of a tool of \`ralph-tui mcp\`, for ${task}`,
    checkpoint: 'mcp',
    invocation: null,
    acks: [],
  });
  // Read twice is better than lost: it is there for the next one who looks.
  if (fault) mailbox.putBack(claim);
};

/** Refuses what needs a session that continues. */
export const refuseComplete = ({ state, paths }: OpenSession): void => {
  if (isComplete(state))
    throw usage(
      `session ${paths.session} has ended: nothing in it is waiting for an agent`,
      `\`ralph-tui report --session ${paths.session}\` shows how it ended`,
      'session-complete',
    );
};
