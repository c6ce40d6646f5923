import { messageOf } from '../../../agents/message-of.ts';
import type { Message } from '../../../agents/port.ts';
import { safe } from '../../../base/safe.ts';
import { forbiddenCommand, forbiddenPath } from '../../../session/guidance/guards.ts';
import { isComplete } from '../../../session/status.ts';
import type { Agent } from '../../../signals/signal.ts';
import { type Cli, Exit } from '../../cli.ts';
import { type OpenSession, openWritableSession } from '../../session/open-session.ts';
import { openMailbox } from '../../session/publish.ts';
import { readGuidance } from '../../trust/guidance-store.ts';
import { createWorld } from '../../world.ts';
import { lookForMail, type Standstill } from '../waiting.ts';
import type { HookAnswer, HookCall } from './hook-call.ts';
import { intentOf } from './hook-event.ts';
import { recallHooks, rememberHooks } from './hook-memory.ts';
import type { WorkLeft } from './team-events.ts';

/** Answers one event. Nothing to say is `{}`. */
export const answerEvent = async (cli: Cli, call: HookCall): Promise<HookAnswer> => {
  switch (call.name) {
    case 'PreToolUse':
      return deny(forbidden(cli, call) ?? (await standstill(cli, call)));
    case 'PostToolUse':
      return tell(cli, call);
    case 'Stop':
      return keep(cli, call);
    case 'TaskCompleted':
    case 'TeammateIdle':
      return (await teamEvents()).teammateLine(call);
    case 'SessionStart':
      return isOwnWorker(cli) ? {} : begin(cli, call);
  }
};

/** Teams and trackers are much to load, and hardly a tool call asks about them. */
const teamEvents = () => import('./team-events.ts');

/** An agent that begins in a folder whose newest session was aborted is a later one, which the abort does not stop. */
const begin = async (cli: Cli, call: HookCall): Promise<HookAnswer> => {
  const session = openFor(cli, call);
  if (session?.state.status === 'aborted') {
    const { world, paths } = session;
    const known = recallHooks(cli, world, call.event.session_id, paths.directory);
    rememberHooks(cli, world, [call.event.session_id, paths.directory], { ...known, isLater: true });
  }
  return (await teamEvents()).atStart(cli, call, session);
};

const forbidden = (cli: Cli, { event, workspace }: HookCall): string | null => {
  const { value } = readGuidance(cli, createWorld(), workspace);
  const { path, command } = intentOf(event);
  const found =
    (path === undefined ? null : forbiddenPath(value, path, workspace)) ??
    (command === undefined ? null : forbiddenCommand(value, command));
  return found?.sentence ?? null;
};

const standstill = async (cli: Cli, call: HookCall): Promise<string | null> => {
  // Our tools say themselves that the session is held.
  if (isOwnWorker(cli) || isOurTool(call)) return null;
  const session = openFor(cli, call);
  if (session === null) return null;
  const { world, paths, state } = session;
  const isLater = recallHooks(cli, world, call.event.session_id, paths.directory).isLater;
  if (state.status === 'aborted' && isLater) return null;
  const { standstill: found } = await lookForMail(session, openMailbox(cli.env, session), call.role, null);
  return found && standstillText(session, found);
};

/** Of our server in the settings, or of our plugin's. */
const isOurTool = ({ event }: HookCall): boolean =>
  /^mcp__(?:plugin_ralph_)?ralph(?:-tui)?__/.test(event.tool_name ?? '');

const standstillText = ({ paths }: OpenSession, { kind, why }: Standstill): string =>
  kind === 'held'
    ? `Session ${paths.session} is paused (${safe(why)}). End your turn now; a person will resume it.`
    : `Session ${paths.session} was aborted (${safe(why)}). Stop working and end your turn now.`;

const deny = (reason: string | null): HookAnswer =>
  reason === null
    ? {}
    : {
        json: {
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'deny',
            permissionDecisionReason: reason,
          },
        },
      };

/** The messages that this agent has not been told yet. They stay in the mailbox: a hook claims nothing. */
const tell = async (cli: Cli, call: HookCall): Promise<HookAnswer> => {
  // A worker of a team has its messages in the results of its tools.
  const session = isOwnWorker(cli) || call.team !== null ? null : openFor(cli, call);
  if (session === null) return {};
  const { world, paths } = session;
  const { standstill: found, messages } = await lookForMail(
    session,
    openMailbox(cli.env, session),
    call.role,
    null,
  );
  if (found) return {};
  const known = recallHooks(cli, world, call.event.session_id, paths.directory);
  const fresh = messages
    .map(({ pendingSignal }) => messageOf(pendingSignal))
    .filter(({ id }) => !known.shown.includes(id));
  const told = withinContext(fresh);
  if (told.length === 0) return {};
  const { messagesText } = await import('../../../mcp/call-tool.ts');
  const shown = [...known.shown, ...told.map(({ id }) => id)];
  rememberHooks(cli, world, [call.event.session_id, paths.directory], { ...known, shown });
  return {
    json: {
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        additionalContext: messagesText(told),
      },
    },
  };
};

/** Claude Code puts a longer text into a file (10,000 characters): the rest comes with the next event. The first message always goes. */
const withinContext = (messages: readonly Message[]): readonly Message[] => {
  let left = 8_000;
  return messages.filter(({ text }, index) => {
    left -= text.length + 100;
    return index === 0 || left >= 0;
  });
};

/** Refuses the agent's end while its role has work that nobody does, once for each state of that work. */
const keep = async (cli: Cli, call: HookCall): Promise<HookAnswer> => {
  const session = isOwnWorker(cli) ? null : openFor(cli, call);
  if (session === null) return {};
  const { world, paths } = session;
  const { standstill: found } = await lookForMail(session, openMailbox(cli.env, session), call.role, null);
  const left = found
    ? null
    : call.team === null
      ? await workLeft(session, call.role)
      : (await teamEvents()).teamWorkLeft(session, call.team);
  if (left === null) return {};
  const known = recallHooks(cli, world, call.event.session_id, paths.directory);
  if (known.refused === left.state) return {};
  const memory = { ...known, refused: left.state };
  const isKept = rememberHooks(cli, world, [call.event.session_id, paths.directory], memory);
  return !isKept && call.event.stop_hook_active === true ? {} : { blocks: left.line };
};

/** Work for a role of the protocol. A live host gives the work of its session out. */
const workLeft = async (session: OpenSession, role: Agent): Promise<WorkLeft | null> => {
  const work = session.host?.alive === true ? [] : await workFor(session, role);
  if (work.length === 0) return null;
  const some = work.slice(0, 5).map((id) => safe(id));
  const more = work.length > some.length ? ` and ${work.length - some.length} more` : '';
  return {
    state: work.join(' '),
    line: `Session ${session.paths.session} has ready work for the ${role}: ${some.join(', ')}${more}.`,
  };
};

const workFor = async ({ state }: OpenSession, role: Agent): Promise<readonly string[]> => {
  const { rowsOfSession } = await import('../../report/task-rows.ts');
  const rows = rowsOfSession(state);
  if (role === 'Executor') return rows.filter((row) => row.ready).map(({ id }) => id);
  return role === 'Reviewer' ? rows.filter(({ status }) => status === 'review').map(({ id }) => id) : [];
};

/** An agent that a session of ours runs gets signals from its engine. */
const isOwnWorker = ({ env }: Cli): boolean => env['RALPH_RUN'] !== undefined;

/** `null` when no session is under way, or none that this program may write into: then a hook has nothing to say. */
const openFor = (cli: Cli, { workspace, session: id }: HookCall): OpenSession | null => {
  try {
    const session = openWritableSession({ ...cli, cwd: workspace }, id);
    return isComplete(session.state) && session.state.status !== 'aborted' ? null : session;
  } catch (error) {
    if (error instanceof Exit && (error.fault.code === 'layout-read-only' || id === undefined)) return null;
    throw error;
  }
};
