import { formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { acceptsFiles } from '../../pipeline/agents/accepts-files.ts';
import type { Device } from '../../serve/access/device.ts';
import { type Scope, scopeIn } from '../../serve/access/scope.ts';
import { isHeldEnough, readAction, type Wanted } from '../../serve/act/action.ts';
import type { Fields } from '../../serve/act/fields.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Signal } from '../../signals/signal.ts';
import { Exit } from '../cli.ts';
import { answerOverSocket } from '../session/answers/answer-over-socket.ts';
import { type OpenSession, readSession } from '../session/open-session.ts';
import { signAsPerson } from '../session/proof/signal-proof.ts';
import { sendSignal } from '../session/publish.ts';
import { type ConfirmationPorts, createConfirmations, type Outcome } from './confirmations.ts';
import type { SessionFeed } from './session-feed.ts';
import { isDecision, whyNotCounted } from './why-not-counted.ts';

/** Performs what forms ask for, in the name of their device. */
export interface Actions {
  readonly perform: (device: Device, paths: SessionPaths, fields: Fields) => Promise<Outcome>;
  readonly scopeOf: (device: Device, paths: SessionPaths) => Scope;
  /** Asks the program that runs the session whether its keys let the device approve, and hears of it when they do. */
  readonly askToConfirm: (device: Device, paths: SessionPaths) => Promise<Outcome>;
}

interface ActionPorts extends ConfirmationPorts {
  /** The events of the session as they come; `null` where it is gone. */
  readonly feedOf: (paths: SessionPaths) => SessionFeed | null;
}

export const createActions = (ports: ActionPorts): Actions => {
  const { env, world, feedOf } = ports;
  const confirmations = createConfirmations(ports);
  /** When each device began to hold the button that aborts, in each session. */
  const holds = new Map<string, number>();

  const scopeOf = (device: Device, paths: SessionPaths): Scope =>
    scopeIn(device.scope, confirmations.has(device, paths));

  const send = async (
    device: Device,
    session: OpenSession,
    signal: Signal,
    says: string,
  ): Promise<Outcome> => {
    const { paths, state } = session;
    const sign = signAsPerson(env, world, paths, device.name, acceptsFiles(state));
    const { id } = sendSignal(session, { ...signal, from: device.name }, sign);
    const feed = isDecision(signal) ? feedOf(paths) : null;
    const why = feed === null ? null : await whyNotCounted(world.clock, feed, id);
    return why === null ? { good: true, text: says } : { good: false, text: `Not counted: ${safe(why)}.` };
  };

  const perform = async (device: Device, session: OpenSession, wanted: Wanted): Promise<Outcome> => {
    const held = `${device.id} ${session.paths.directory}`;
    switch (wanted.kind) {
      case 'refused':
        return { good: false, text: wanted.why };
      case 'signal':
        return send(device, session, wanted.signal, wanted.says);
      case 'hold':
        holds.set(held, world.clock.monotonic());
        return { good: true, text: 'Keep holding …' };
      case 'abort': {
        const isHeld = isHeldEnough(holds.get(held), world.clock.monotonic());
        holds.delete(held);
        return isHeld
          ? send(device, session, { type: 'ABORT', target: 'ALL' }, 'Sent: ABORT')
          : { good: false, text: 'Not sent: hold the button for two seconds.' };
      }
      case 'confirm-me':
        return confirmations.ask(device, session.paths);
      case 'permit': {
        const { request, decision, why, says } = wanted;
        const { id, name } = device;
        const answer = { request, decision, device: { id, name }, ...(why === undefined ? {} : { why }) };
        const refusal = await answerOverSocket(env, session, answer, name);
        return refusal === null
          ? { good: true, text: says }
          : { good: false, text: `Not counted: ${safe(refusal)}.` };
      }
    }
  };

  return {
    scopeOf,
    askToConfirm: confirmations.ask,
    perform: async (device, paths, fields) => {
      try {
        const session = readSession(world, paths);
        if (!session.layout.writable) return { good: false, text: 'This session can only be read.' };
        return await perform(device, session, readAction(session.state, fields, scopeOf(device, paths)));
      } catch (error) {
        // A sentence for the person: a full disk, no host, too late.
        if (error instanceof Exit) return { good: false, text: safe(formatFault(error.fault)) };
        if (error instanceof Error) return { good: false, text: `${safe(error.message)}.` };
        throw error;
      }
    },
  };
};
