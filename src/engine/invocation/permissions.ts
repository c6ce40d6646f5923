import {
  askWords,
  decidePermission,
  forbiddenBy,
  type PermissionAnswer,
  type PermissionAsk,
  type PermissionReply,
} from '../../agents/permissions.ts';
import { taskRoles } from '../../issues/task-list/task-phase.ts';
import { isToolKind } from '../../issues/team/worker-definition.ts';
import type { Event } from '../../pipeline/event.ts';
import { permissionBoundary } from '../../pipeline/evolve/invocations.ts';
import { reading } from '../../pipeline/modes/flow/flow-tasks.ts';
import type { Core } from '../core.ts';
import type { Active } from './active.ts';
import { createDevices, type DeviceName, type Devices } from './devices.ts';
import { createHoldWaits, type HoldWaits } from './hold-waits.ts';
import { longestText, memoryKey, recordOf } from './permission-record.ts';

/** Requests of agents for permission. Preset and memory decide, else a person at a screen (src/agents/README.md, ACP flow, step 6). */
export interface Permissions {
  /** Never rejects. An answer given during a hold waits for its end, so that no model request starts before. */
  ask(active: Active, agent: string, ask: PermissionAsk, over: AbortSignal): Promise<PermissionAnswer>;
  /** Why nobody is here to be asked; `null`: somebody is. */
  whyNobody(): string | null;
  /** Asks a person whatever the preset says. `refuse` when nobody is here to be asked. Never rejects. */
  confirm(active: Active, subject: string, ask: PermissionAsk): Promise<PermissionAnswer>;
  /** Answers from a key on a screen. Returns `null` when done, else the reason why not. */
  answer(answer: PermissionReply): string | null;
  /** Forgets a permission that was granted for the session; the next request asks again. */
  revoke(key: string, by: string): void;
  /** True while a person is asked on behalf of this invocation; its silence is then expected. */
  isAsking(active: Active): boolean;
  /** Resolves when a hold is pending or the invocation is stopped. */
  held(active: Active): Promise<void>;
  /** Resolves when no hold is pending or the invocation is stopped. */
  released(active: Active): Promise<void>;
  /** `null`: keys confirmed this device of `serve`; otherwise asks on the screens, and says what holds meanwhile. */
  confirmDevice(device: DeviceName): string | null;
  /** Sees every event. */
  note(event: Event): void;
}

interface Open {
  /** `null`: `serve` asks about a device. */
  readonly active: Active | null;
  /** `null`: it is never remembered. */
  readonly key: string | null;
  readonly text: string;
  readonly settle: (answer: PermissionAnswer) => void;
}

/** The role of a task whose work is a text. */
const readerOf = ({ brief: { phase, task } }: Active): { readonly reader?: string } =>
  phase !== undefined && reading.has(phase) ? { reader: task?.role ?? phase } : {};

/** The role of a worker whose definition has no tool for a request. */
const withoutTool = ({ options }: Core, { brief }: Active, { kind }: PermissionAsk): string | null => {
  const { worker, task } = brief;
  if (worker === undefined || task === undefined || options.flow === undefined) return null;
  const role = taskRoles.find((each) => each === task.role);
  if (role === undefined || !isToolKind(kind)) return null;
  return options.flow.worker(role).definition.kinds.includes(kind) ? null : role;
};

interface Context {
  readonly core: Core;
  /** Requests that wait for a person, by their id. */
  readonly open: Map<string, Open>;
  /** Permissions for the session, by key. Never read from the journal, because an agent could write there. Ends with this program. */
  readonly remembered: Map<string, string>;
  readonly holds: HoldWaits;
  /** Who answered a request first, by its id. */
  readonly answered: Map<string, string>;
  readonly devices: Devices;
  asked: number;
}

export const createPermissions = (core: Core): Permissions => {
  const context: Context = {
    core,
    open: new Map(),
    remembered: new Map(),
    holds: createHoldWaits(core),
    answered: new Map(),
    devices: createDevices({
      unasked: () =>
        unasked(context) ??
        (core.screens.count() === 0 ? 'no screen shows the session: attach one first' : null),
      ask: (device, decided) => askAboutDevice(context, device, decided),
    }),
    asked: 0,
  };
  core.screens.watch(() => refuseUnattended(context));
  const { open, holds } = context;
  return {
    whyNobody: () => unasked(context),
    confirm: async (active, subject, ask) => {
      if (isOver(core, active)) return 'cancelled';
      if (unasked(context) !== null) return 'refuse';
      return holds.after(active, await askPerson(context, active, subject, ask, active.ends.signal));
    },
    ask: async (active, agent, ask, over) =>
      isOver(core, active)
        ? 'cancelled'
        : holds.after(active, await decide(context, active, agent, ask, over)),
    answer: (reply) => answer(context, reply),
    revoke: (key, by) => {
      if (context.remembered.delete(key))
        core.loop.run(() => core.loop.commit({ type: 'permission.revoked', key, by }));
    },
    confirmDevice: context.devices.confirm,
    isAsking: (active) =>
      holds.keepsAnswerOf(active) || [...open.values()].some((entry) => entry.active === active),
    held: (active) => holds.until(active, true),
    released: (active) => holds.until(active, false),
    note: holds.note,
  };
};

const isOver = ({ loop }: Core, { over, stop }: Active): boolean => over || stop !== null || !loop.isOpen();

/** Decides by preset, guidance and memory; asks a person where these say so and one is here. */
const decide = async (
  context: Context,
  active: Active,
  agent: string,
  ask: PermissionAsk,
  over: AbortSignal,
): Promise<PermissionAnswer> => {
  const { core, remembered } = context;
  const { loop } = core;
  const { guidance, settings } = loop.state();
  const preset = settings.permissions;
  const { role } = active.brief;
  const forbidden = forbiddenBy(guidance, ask, ask.root);
  const without = withoutTool(core, active, ask);
  const decided = decidePermission({ preset, role, ...readerOf(active), without, ...ask, forbidden });
  const key = memoryKey(agent, ask);
  const isKnown = key !== null && remembered.has(key);
  if (decided.decision === 'ask' && !isKnown) {
    const why = unasked(context);
    if (why === null) return askPerson(context, active, agent, ask, over);
    noteRefusal(core, active, ask, [why, ...ask.notes.slice(0, 3)]);
    return 'refuse';
  }
  if (decided.decision === 'refuse') noteRefusal(core, active, ask, [decided.why]);
  if (loop.isOpen() && loop.state().hold !== null)
    loop.run(() =>
      loop.commit({
        type: 'checkpoint.reached',
        agent,
        checkpoint: permissionBoundary,
        invocation: active.brief.invocation,
      }),
    );
  return decided.decision === 'refuse' ? 'refuse' : 'allow';
};

const unattended = 'no screen shows the session (`permissions.unattended: refuse`)';

/** Why no person is asked now; `null`: one is. */
const unasked = ({ core: { loop, screens } }: Context): string | null => {
  const { attended, settings } = loop.state();
  if (!attended) return 'there is no terminal to ask in';
  return screens.count() === 0 && settings['permissions.unattended'] === 'refuse' ? unattended : null;
};

/** With the last screen the requests of agents end that would be refused from now on. Nobody refused a device: it waits for the next screen. */
const refuseUnattended = (context: Context): void => {
  if (unasked(context) === null) return;
  for (const [request, { active }] of [...context.open])
    if (active !== null) answer(context, { request, decision: 'no', by: unattended });
};

const noteRefusal = (
  { loop }: Core,
  { brief: { invocation } }: Active,
  { title }: PermissionAsk,
  why: readonly string[],
): void => {
  const text = `refused: ${title.slice(0, longestText)} (${why.join('; ').slice(0, longestText)})`;
  loop.run(() => loop.commit({ type: 'finding.noted', invocation, text, refused: true }));
};

/** Resolves with the answer of a person, or when the request or the invocation is over. */
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

/** The request of a device stands among those of agents. It ends with the program, and no device answers it. */
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
  { core: { loop }, open, remembered, answered, devices }: Context,
  { request, decision, why, by, device }: PermissionReply,
): string | null => {
  if (device !== undefined && !devices.isConfirmed(device))
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
