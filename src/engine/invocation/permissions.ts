import {
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
import { createDevices, type DeviceName } from './devices.ts';
import { createHoldWaits } from './hold-waits.ts';
import { createOpenRequests, type OpenRequests } from './open-requests.ts';
import { longestText, memoryKey } from './permission-record.ts';

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
  readonly requests: OpenRequests;
}

export const createPermissions = (core: Core): Permissions => {
  const requests = createOpenRequests(core);
  const context: Context = { core, requests };
  const holds = createHoldWaits(core);
  const devices = createDevices({
    unasked: () =>
      unasked(core) ?? (core.screens.count() === 0 ? 'no screen shows the session: attach one first' : null),
    ask: requests.askAboutDevice,
  });
  const answer = (reply: PermissionReply): string | null => requests.answer(reply, devices.isConfirmed);
  // With the last screen the requests of agents end that would be refused from now on. Nobody refused a device: it waits for the next screen.
  core.screens.watch(() => {
    if (unasked(core) === null) return;
    for (const request of requests.ofAgents()) answer({ request, decision: 'no', by: unattended });
  });
  return {
    whyNobody: () => unasked(core),
    confirm: async (active, subject, ask) => {
      if (isOver(core, active)) return 'cancelled';
      if (unasked(core) !== null) return 'refuse';
      return holds.after(active, await requests.askPerson(active, subject, ask, active.ends.signal));
    },
    ask: async (active, agent, ask, over) =>
      isOver(core, active)
        ? 'cancelled'
        : holds.after(active, await decide(context, active, agent, ask, over)),
    answer,
    revoke: (key, by) => {
      if (requests.forget(key))
        core.loop.run(() => core.loop.commit({ type: 'permission.revoked', key, by }));
    },
    confirmDevice: devices.confirm,
    isAsking: (active) => holds.keepsAnswerOf(active) || requests.isAsking(active),
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
  const { core, requests } = context;
  const { loop } = core;
  const { guidance, settings } = loop.state();
  const preset = settings.permissions;
  const { role } = active.brief;
  const forbidden = forbiddenBy(guidance, ask, ask.root);
  const without = withoutTool(core, active, ask);
  const decided = decidePermission({ preset, role, ...readerOf(active), without, ...ask, forbidden });
  const key = memoryKey(agent, ask);
  const isKnown = key !== null && requests.isRemembered(key);
  if (decided.decision === 'ask' && !isKnown) {
    const why = unasked(core);
    if (why === null) return requests.askPerson(active, agent, ask, over);
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
const unasked = ({ loop, screens }: Core): string | null => {
  const { attended, settings } = loop.state();
  if (!attended) return 'there is no terminal to ask in';
  return screens.count() === 0 && settings['permissions.unattended'] === 'refuse' ? unattended : null;
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
