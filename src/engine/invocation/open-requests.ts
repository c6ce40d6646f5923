import {
  askWords,
  type PermissionAnswer,
  type PermissionAsk,
  type PermissionReply,
} from '../../agents/permissions.ts';
import type { Core } from '../core.ts';
import type { Active } from './active.ts';
import type { DeviceName } from './devices.ts';
import { memoryKey, recordOf } from './permission-record.ts';

/** The requests that wait for a person, and what a person allowed for the session. */
export interface OpenRequests {
  /** Resolves with the answer of a person, or when the request (`over`) or the invocation is over. */
  askPerson(active: Active, agent: string, ask: PermissionAsk, over: AbortSignal): Promise<PermissionAnswer>;
  /** Asks about a device of `serve` among the requests of agents. It ends with the program, and no device answers it. */
  askAboutDevice(device: DeviceName, decided: (allowed: boolean) => void): void;
  /** Settles a request. Returns `null` when done, else the reason why not. `isConfirmed`: whether keys confirmed a device. */
  answer(reply: PermissionReply, isConfirmed: (device: string) => boolean): string | null;
  /** Ids of the requests of agents that wait. */
  ofAgents(): readonly string[];
  /** Whether a person is asked on behalf of this invocation. */
  isAsking(active: Active): boolean;
  isRemembered(key: string): boolean;
  /** Forgets what was allowed for the session. `false`: nothing was. */
  forget(key: string): boolean;
}

interface Open {
  /** `null`: `serve` asks about a device. */
  readonly active: Active | null;
  /** `null`: it is never remembered. */
  readonly key: string | null;
  readonly text: string;
  readonly settle: (answer: PermissionAnswer) => void;
}

interface Context {
  readonly core: Core;
  /** By the id of the request. */
  readonly open: Map<string, Open>;
  /** Permissions for the session, by key. Never read from the journal, because an agent could write there. Ends with this program. */
  readonly remembered: Map<string, string>;
  /** Who answered a request first, by its id. */
  readonly answered: Map<string, string>;
  asked: number;
}

export const createOpenRequests = (core: Core): OpenRequests => {
  const context: Context = {
    core,
    open: new Map(),
    remembered: new Map(),
    answered: new Map(),
    asked: 0,
  };
  const { open, remembered } = context;
  return {
    askPerson: (active, agent, ask, over) => askPerson(context, active, agent, ask, over),
    askAboutDevice: (device, decided) => askAboutDevice(context, device, decided),
    answer: (reply, isConfirmed) => answer(context, reply, isConfirmed),
    ofAgents: () => [...open].flatMap(([request, { active }]) => (active === null ? [] : [request])),
    isAsking: (active) => [...open.values()].some((entry) => entry.active === active),
    isRemembered: (key) => remembered.has(key),
    forget: (key) => remembered.delete(key),
  };
};

const askPerson = (
  context: Context,
  active: Active,
  agent: string,
  ask: PermissionAsk,
  over: AbortSignal,
): Promise<PermissionAnswer> =>
  new Promise((resolve) => {
    const { core, open } = context;
    const { loop } = core;
    context.asked += 1;
    const request = `permission:${active.brief.invocation}:${context.asked}`;
    const { signal } = active.ends;
    const cancel = (): void => {
      if (!open.has(request)) return;
      loop.run(() =>
        loop.commit({
          ...placeOf(active),
          type: 'permission.answered',
          request,
          decision: 'cancelled',
          by: agent,
        }),
      );
      settle('cancelled');
    };
    const settle = (answer: PermissionAnswer): void => {
      open.delete(request);
      over.removeEventListener('abort', cancel);
      signal.removeEventListener('abort', cancel);
      resolve(answer);
    };
    open.set(request, { active, key: memoryKey(agent, ask), text: `${agent}: ${askWords(ask)}`, settle });
    loop.run(() =>
      loop.commit({ ...placeOf(active), type: 'permission.asked', request, agent, ...recordOf(ask) }),
    );
    over.addEventListener('abort', cancel);
    signal.addEventListener('abort', cancel);
    if (over.aborted || signal.aborted) cancel();
  });

const askAboutDevice = (
  context: Context,
  { name }: DeviceName,
  decided: (allowed: boolean) => void,
): void => {
  const { core, open } = context;
  context.asked += 1;
  const request = `permission:serve:${context.asked}`;
  const title = `let the device "${name}" approve here: gates, reviews, permissions, cancel, abort`;
  const settle = (reply: PermissionAnswer): void => {
    open.delete(request);
    decided(reply === 'allow');
  };
  open.set(request, { active: null, key: null, text: title, settle });
  core.loop.run(() =>
    core.loop.commit({
      ...placeOf(null),
      type: 'permission.asked',
      request,
      agent: 'serve',
      kind: 'other',
      title,
      command: null,
      directory: core.options.paths.workspace,
      paths: [],
      diffs: [],
      once: 'it then holds as long as this program runs the session',
    }),
  );
};

const answer = (
  { core: { loop }, open, remembered, answered }: Context,
  { request, decision, why, by, device }: PermissionReply,
  isConfirmed: (device: string) => boolean,
): string | null => {
  if (device !== undefined && !isConfirmed(device))
    return 'no key on a screen of this session has confirmed the device';
  const asking = open.get(request);
  if (!asking) {
    const first = answered.get(request);
    return first === undefined ? 'this request is no longer open' : `already answered by ${first}`;
  }
  const { active, key, text, settle } = asking;
  if (device !== undefined && active === null) return 'only a key on a screen confirms a device';
  if (decision === 'session' && key === null) return 'this request can only be allowed once';
  if (decision === 'session' && key !== null) remembered.set(key, text);
  loop.run(() =>
    loop.commit({
      ...placeOf(active),
      type: 'permission.answered',
      request,
      decision,
      by,
      ...(why === undefined ? {} : { why }),
      ...(decision === 'session' && key !== null ? { remembered: { key, text } } : {}),
    }),
  );
  answered.set(request, by);
  settle(decision === 'no' ? 'refuse' : 'allow');
  // The words are in the mailbox already: an agent that got only the refusal would go on without them.
  if (decision === 'no' && why !== undefined && active !== null && active.boundary !== null)
    active.worker?.notice?.({ steer: true, now: false, refused: true });
  return null;
};

const placeOf = (active: Active | null) => {
  if (active === null) return { invocation: 'serve' };
  const { invocation, task, attempt } = active.brief;
  return { invocation, ...(task === undefined ? {} : { task: task.id, attempt: attempt ?? 1 }) };
};
