import { carries, type ToolKind } from '../../agents/agent-facts.ts';
import { type LiveAgent, unconnectedAgent } from '../agents/live-agent.ts';
import { nothingSpent, type Spent, withCost, withReply } from '../agents/spending.ts';
import type { EventOf } from '../event.ts';
import type { AgentEventType } from '../events/agents.ts';
import type { HandlersOf, Patch } from '../handler.ts';
import { isIsolated } from '../isolated.ts';
import { change, drop, type Owned, put } from '../maps.ts';
import type { Invocation, SessionState } from '../state.ts';
import { attempt, union } from './edit-changes.ts';

/** Folds the facts of live agents into their invocations. */
export const agents: HandlersOf<AgentEventType> = {
  'agent.launched': (state, event, own) =>
    event.ahead
      ? null
      : edit(state, own, event.invocation, () => ({
          ...unconnectedAgent,
          program: event.program,
          marker: event.marker,
          withheld: event.withheld ?? [],
        })),
  'agent.process-started': (state, event, own) =>
    edit(state, own, event.invocation, (agent) => ({ ...agent, pid: event.pid })),
  'agent.connected': (state, event, own) =>
    edit(state, own, event.invocation, (agent) => ({
      ...agent,
      label: event.label,
      version: event.version ?? null,
      session: event.session,
      began: event.began,
      model: event.model ?? null,
      mode: event.mode ?? null,
      reach: event.reach,
      resumeCommand: event.resume_command ?? null,
    })),
  'agent.mode-changed': (state, event, own) =>
    edit(state, own, event.invocation, (agent) => ({ ...agent, mode: event.mode })),
  'agent.usage-reported': (state, event, own) => ({
    ...edit(state, own, event.invocation, (agent) => ({
      ...agent,
      context: { used: event.used, size: event.size },
      cost: event.cost ?? agent.cost,
    })),
    ...(event.cost === undefined ? {} : spend(state, own, event.invocation, withCost(event.cost))),
  }),
  'agent.context-compacted': (state, event, own) =>
    edit(state, own, event.invocation, (agent) => ({ ...agent, compactions: agent.compactions + 1 })),
  'prompt.sent': (state, event, own) =>
    edit(state, own, event.invocation, (agent) => ({
      ...agent,
      prompts: agent.prompts + 1,
      replying: true,
    })),
  'reply.ended': (state, event, own) => ({
    ...edit(state, own, event.invocation, (agent) => ({ ...agent, replying: false, tool: null })),
    // A reply that was cut or lost has no counts from any agent.
    ...(event.tokens === undefined && (event.stop === 'lost' || event.stop === 'cancelled')
      ? {}
      : spend(state, own, event.invocation, withReply(event.tokens ?? null))),
  }),
  'tool.started': (state, event, own) => ({
    ...edit(state, own, event.invocation, (agent) => ({
      ...agent,
      tool: { call: event.call, title: event.title, since: event.at },
    })),
    ...(changing.has(event.kind) ? claim(state, own, event, event.paths) : {}),
  }),
  'tool.ended': (state, event, own) => ({
    ...edit(state, own, event.invocation, (agent) => ({
      ...agent,
      tools: agent.tools + 1,
      tool: agent.tool?.call === event.call ? null : agent.tool,
    })),
    ...claim(
      state,
      own,
      event,
      event.changes.map(({ path }) => path),
    ),
  }),
  'thought.noted': () => null,
  'agent-plan.noted': () => null,
  'message.arrived': (state, event) => (carries(event.way) ? heldNoMore(state, event.id) : null),
  'message.carried': (state, event) => heldNoMore(state, event.id),
  'permission.asked': (state, event, own) => ({
    permissions: put(own, state.permissions, event.request, {
      request: event.request,
      invocation: event.invocation,
      task: event.task ?? null,
      agent: event.agent,
      role: state.invocations.get(event.invocation)?.role ?? null,
      kind: event.kind,
      title: event.title,
      command: event.command,
      directory: event.directory,
      paths: event.paths,
      diffs: event.diffs,
      notes: event.notes ?? [],
      once: event.once ?? null,
      asked: event.at,
    }),
  }),
  'permission.answered': (state, event, own) => ({
    permissions: drop(own, state.permissions, event.request),
    ...(event.decision === 'cancelled'
      ? {}
      : {
          invocations: change(own, state.invocations, event.invocation, (invocation) => ({
            ...invocation,
            // The answer reaches the agent when the hold is over; until then it stands where it asked.
            heldInPermission: invocation.heldInPermission || state.hold !== null,
            allowed: [...invocation.allowed, ...allowedBy(state, event)],
          })),
        }),
    ...(event.remembered === undefined
      ? {}
      : { remembered: put(own, state.remembered, event.remembered.key, event.remembered.text) }),
  }),
  'permission.revoked': (state, event, own) => ({ remembered: drop(own, state.remembered, event.key) }),
};

const allowedBy = (
  { permissions }: SessionState,
  { request, decision }: EventOf<'permission.answered'>,
): readonly string[] => {
  const command = permissions.get(request)?.command ?? null;
  return command === null || (decision !== 'once' && decision !== 'session') ? [] : [command];
};

const changing: ReadonlySet<ToolKind> = new Set<ToolKind>(['edit', 'delete', 'move']);

/** What a tool call in a worktree changed is the attempt's own, declared or not. */
const claim = (
  state: SessionState,
  own: Owned,
  {
    task,
    attempt: number = 1,
  }: { readonly task?: string | undefined; readonly attempt?: number | undefined },
  paths: readonly string[],
): Patch => {
  if (task === undefined || paths.length === 0 || !isIsolated(state)) return {};
  return attempt(state, { task, attempt: number }, own, (old) => ({
    ...old,
    claimed: union(old.claimed, paths),
  }));
};

/** The words around a hold have reached an agent. */
const heldNoMore = ({ resumeMessages }: SessionState, id: string): Patch =>
  resumeMessages.some((message) => message.id === id)
    ? { resumeMessages: resumeMessages.filter((message) => message.id !== id) }
    : null;

/** Counts what an invocation used. Its agent's session is the same after a resume, so that its total is not counted twice. */
const spend = (state: SessionState, own: Owned, id: string, add: (spent: Spent) => Spent): Patch => {
  const invocation = state.invocations.get(id);
  if (invocation === undefined) return {};
  const { role, task, backend, agent } = invocation;
  const key = agent?.session ?? id;
  const spent = state.spending.get(key) ?? nothingSpent(role, task, backend);
  return { spending: put(own, state.spending, key, add(spent)) };
};

const edit = (
  state: SessionState,
  own: Owned,
  id: string,
  with_: (agent: LiveAgent) => LiveAgent,
): Patch => ({
  invocations: change(
    own,
    state.invocations,
    id,
    (invocation): Invocation => ({
      ...invocation,
      agent: with_(invocation.agent ?? unconnectedAgent),
    }),
  ),
});
