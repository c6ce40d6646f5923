import {
  askWords,
  decidePermission,
  forbiddenBy,
  type PermissionAnswer,
  type PermissionAsk,
  type PermissionReply,
} from '../../agents/permissions.ts';
import { sha256 } from '../../base/hash.io.ts';
import { taskRoles } from '../../issues/task-list/task-phase.ts';
import { isToolKind } from '../../issues/team/worker-definition.ts';
import type { Event } from '../../pipeline/event.ts';
import { permissionBoundary } from '../../pipeline/evolve/invocations.ts';
import { reading } from '../../pipeline/modes/flow/flow-tasks.ts';
import type { Core } from '../core.ts';
import type { Active } from './active.ts';

/** Requests of agents for permission. Preset and memory decide, else a person at the hosting screen (src/agents/README.md, ACP flow, step 6). */
export interface Permissions {
  /** Never rejects. An answer given during a hold waits for its end, so that no model request starts before. */
  ask(active: Active, agent: string, ask: PermissionAsk, over: AbortSignal): Promise<PermissionAnswer>;
  /** Asks a person whatever the preset says. `refuse` when nobody is here to be asked. Never rejects. */
  confirm(active: Active, subject: string, ask: PermissionAsk): Promise<PermissionAnswer>;
  /** Answers from a key on the hosting screen. Returns `null` when done, else the reason why not. */
  answer(answer: PermissionReply): string | null;
  /** Forgets a permission that was granted for the session; the next request asks again. */
  revoke(key: string, by: string): void;
  /** True while a person is asked on behalf of this invocation; its silence is then expected. */
  isAsking(active: Active): boolean;
  /** Resolves when a hold is pending or the invocation is stopped. */
  held(active: Active): Promise<void>;
  /** Resolves when no hold is pending or the invocation is stopped. */
  released(active: Active): Promise<void>;
  /** Sees every event. */
  note(event: Event): void;
}

interface Open {
  readonly active: Active;
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
  return options.flow.worker(role).kinds.includes(kind) ? null : role;
};

/** Limits of what the journal keeps of one request. A command is shown whole: one beyond its limit can be allowed once, and the rest is counted. */
const longestText = 8_000;
const longestCommand = 65_536;
const mostDiffs = 10;
const mostPaths = 50;

export const createPermissions = (core: Core): Permissions => {
  const { loop, options } = core;
  const open = new Map<string, Open>();
  /** Permissions for the session, by key. Never read from the journal, because an agent could write there. Ends with this program. */
  const remembered = new Map<string, string>();
  const waiting = new Set<() => void>();
  /** Whose answer waits for the end of a hold. */
  const held = new Set<Active>();
  let asked = 0;

  /** Resolves when a hold is pending or not, as wanted, or the invocation is stopped. */
  const untilHold = (active: Active, wanted: boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        const isHeld = loop.isOpen() && loop.state().hold !== null && loop.state().abort === null;
        if (isHeld !== wanted && !active.over && active.stop === null) return;
        waiting.delete(look);
        active.ends.signal.removeEventListener('abort', look);
        resolve();
      };
      waiting.add(look);
      active.ends.signal.addEventListener('abort', look);
      look();
    });

  const finding = ({ brief }: Active, text: string): void => {
    loop.run(() => loop.commit({ type: 'finding.noted', invocation: brief.invocation, text }));
  };

  const askPerson = (active: Active, agent: string, ask: PermissionAsk, over: AbortSignal) =>
    new Promise<PermissionAnswer>((resolve) => {
      asked += 1;
      const request = `permission:${active.brief.invocation}:${asked}`;
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
      open.set(request, {
        active,
        key: keyOf(agent, ask),
        text: `${agent}: ${askWords(ask)}`,
        settle,
      });
      loop.run(() =>
        loop.commit({ ...placeOf(active), type: 'permission.asked', request, agent, ...told(ask) }),
      );
      over.addEventListener('abort', cancel);
      signal.addEventListener('abort', cancel);
      if (over.aborted || signal.aborted) cancel();
    });

  /** The answer, once no hold is pending. */
  const afterHold = async (active: Active, answer: PermissionAnswer): Promise<PermissionAnswer> => {
    held.add(active);
    await untilHold(active, false);
    held.delete(active);
    return active.stop !== null || active.over ? 'cancelled' : answer;
  };

  return {
    confirm: async (active, subject, ask) => {
      if (active.over || active.stop !== null || !loop.isOpen()) return 'cancelled';
      if (!loop.state().attended) return 'refuse';
      return afterHold(active, await askPerson(active, subject, ask, active.ends.signal));
    },
    ask: async (active, agent, ask, over) => {
      if (active.over || active.stop !== null || !loop.isOpen()) return 'cancelled';
      const { guidance, settings } = loop.state();
      const preset = settings.permissions;
      const { role } = active.brief;
      const forbidden = forbiddenBy(guidance, ask, ask.root);
      const without = withoutTool(core, active, ask);
      const decided = decidePermission({ preset, role, ...readerOf(active), without, ...ask, forbidden });
      const key = keyOf(agent, ask);
      const isKnown = key !== null && remembered.has(key);
      const unasked = decided.decision === 'ask' && isKnown ? 'allow' : decided.decision;
      let answer: PermissionAnswer;
      if (unasked === 'ask' && loop.state().attended) answer = await askPerson(active, agent, ask, over);
      else {
        answer = unasked === 'allow' ? 'allow' : 'refuse';
        const why = decided.decision === 'refuse' ? decided.why : 'there is no terminal to ask on';
        const words = [why, ...(decided.decision === 'refuse' ? [] : ask.notes.slice(0, 3))].join('; ');
        if (answer === 'refuse')
          finding(active, `refused: ${ask.title.slice(0, longestText)} (${words.slice(0, longestText)})`);
      }
      if (unasked !== 'ask' && loop.isOpen() && loop.state().hold !== null)
        loop.run(() =>
          loop.commit({
            type: 'checkpoint.reached',
            agent,
            checkpoint: permissionBoundary,
            invocation: active.brief.invocation,
          }),
        );
      return afterHold(active, answer);
    },
    answer: ({ request, decision, why, by }) => {
      const asking = open.get(request);
      if (!asking) return 'this request is over';
      const { active, key, text, settle } = asking;
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
      settle(decision === 'no' ? 'refuse' : 'allow');
      return null;
    },
    revoke: (key, by) => {
      if (remembered.delete(key)) loop.run(() => loop.commit({ type: 'permission.revoked', key, by }));
    },
    isAsking: (active) => held.has(active) || [...open.values()].some((entry) => entry.active === active),
    held: (active) => untilHold(active, true),
    released: (active) => untilHold(active, false),
    note: ({ type }) => {
      if (
        type === 'hold.requested' ||
        type === 'hold.ended' ||
        type === 'abort.requested' ||
        type === 'session.stopped'
      )
        options.clock.after(0, () => {
          for (const look of [...waiting]) look();
        });
    },
  };
};

const placeOf = ({ brief: { invocation, task, attempt } }: Active) => ({
  invocation,
  ...(task === undefined ? {} : { task: task.id, attempt: attempt ?? 1 }),
});

/**
 * What "this session" is remembered by: the agent, and a hash of all of the request and of its place in the repository, which every attempt shares.
 * `null`: the request did not show all that it does.
 */
const keyOf = (agent: string, ask: PermissionAsk): string | null =>
  whyOnce(ask) === null && 'identity' in ask.memory
    ? sha256(JSON.stringify([agent, ask.memory.identity]))
    : null;

/** Why a request can only be allowed once, or `null`. */
const whyOnce = ({ memory, command }: PermissionAsk): string | null => {
  if ('partial' in memory) return memory.partial;
  return command !== null && command.length > longestCommand
    ? `the command is longer than ${longestCommand} characters`
    : null;
};

const told = (ask: PermissionAsk) => {
  const { kind, title, command, directory, paths, diffs, notes } = ask;
  const once = whyOnce(ask);
  return {
    kind,
    title: title.slice(0, longestText),
    command: command === null ? null : shownCommand(command),
    directory,
    paths: withRest(paths, mostPaths),
    diffs: diffs.slice(0, mostDiffs).map(({ path, before, after }) => ({
      path,
      before: before.slice(0, longestText),
      after: after.slice(0, longestText),
    })),
    ...(notes.length === 0
      ? {}
      : { notes: withRest(notes, mostPaths).map((note) => note.slice(0, longestText)) }),
    ...(once === null ? {} : { once }),
  };
};

const shownCommand = (command: string): string =>
  command.length <= longestCommand
    ? command
    : `${command.slice(0, longestCommand)}\n[${command.length - longestCommand} more characters are not shown]`;

const withRest = (all: readonly string[], most: number): readonly string[] =>
  all.length <= most ? all : [...all.slice(0, most), `and ${all.length - most} more`];
