import { join } from 'node:path';
import { createEditor } from '../../../components/keys/line-editor.ts';
import type { IssueIntent } from '../../../components/ports/intent.ts';
import type { TrustedIntent } from '../../../components/ports/start-intent.ts';
import {
  type AgentInstall,
  type StartOverlay,
  startItems,
  usableAgents,
} from '../../../components/start/start-list.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import { readText } from '../../base/replace-file.ts';
import { sessionPaths } from '../../session/paths.ts';
import { usage } from '../cli.ts';
import { prepareResume } from '../host/prepare-resume.ts';
import { runningBeside } from '../host/running-beside.ts';
import type { StartRequest } from '../host/start-request.ts';
import { movedWords, moveIssue } from '../issues/move-issue.ts';
import { openIssuesIn } from '../issues/open-issues.ts';
import { acceptedSettings } from '../runners/accepted-settings.ts';
import { farSession } from '../runners/far-sessions.ts';
import { parseFarName } from '../runners/far-words.ts';
import { machineNamed } from '../runners/machine.ts';
import { showServe } from '../session/answers/show-serve.ts';
import { nothingToResume } from '../session/nothing-to-resume.ts';
import { readJournalOf } from '../session/open-session.ts';
import type { World } from '../world.ts';
import { askTrustOnScreen } from './ask-trust-on-screen.ts';
import { beginOnScreen } from './begin-session.ts';
import { askCriticalOnScreen, discoverBesideStart } from './discover-on-screen.ts';
import { listFar } from './list-far.ts';
import type { WorldIntent } from './screen.tsx';
import { leaveTalk, type ScreenSessions, switchTo, workspaceOf } from './screen-sessions.ts';
import { openGuidance, openSetup, saveForm } from './session-forms.ts';
import { showFar } from './show-far.ts';
import { showJournal } from './show-journal.ts';
import { showStatistics } from './show-statistics.ts';
import type { ShownSession } from './shown-session.ts';
import { askListOnScreen, offerIssuesBesideStart, prepareIssue } from './start-issue.ts';
import { offeredAgents, prepareStart, sessionChoices, startOverlay } from './start-screen.ts';

/** Performs an intent of the session `from`. Returns the sentence to show, or `null`. */
export const performIntent = async (
  sessions: ScreenSessions,
  from: ShownSession,
  intent: WorldIntent,
): Promise<string | null> => {
  if (sessions.isBeginning && (intent.type === 'resume' || intent.type === 'start' || intent.type === 'show'))
    return 'One moment: a session is starting';
  switch (intent.type) {
    case 'resume':
      return resume(sessions, from, intent);
    case 'offer':
      return offerStart(sessions, from);
    case 'start':
      return start(sessions, from, intent);
    case 'sessions':
      return listChoices(sessions, from);
    case 'statistics':
      return showStatistics(sessions.world, workspaceOf(sessions, from), from.store);
    case 'rehearse':
      // Loads with the first rehearsal: most screens have none.
      return (await import('../setup/rehearse-on-screen.ts')).rehearseOnScreen(sessions, from, intent);
    case 'serve':
      return showServe(sessions.cli.env, workspaceOf(sessions, from), from.store, intent);
    case 'show':
      return show(sessions, intent);
    case 'guide':
      return openGuidance(sessions, from);
    case 'set-up':
      return openSetup(sessions, from);
    case 'filled-in':
      return saveForm(sessions, from, intent, () => offerStart(sessions, from));
    case 'move-issue':
      return moveOnScreen(sessions, from, intent);
    case 'skill':
      // Loads with the first conversation: most screens hold none.
      return (await import('./skill-on-screen.ts')).converse(sessions, from, intent);
    case 'talk-answered':
      return sessions.talk === null
        ? 'No conversation is open here'
        : sessions.talk.answer(intent.question, intent.answer);
    case 'talk-left':
      await leaveTalk(sessions);
      return null;
    default:
      return from.port.perform(intent);
  }
};

/** Hosts the session of a viewer here. The viewer closes only once the engine runs. */
const resume = async (
  sessions: ScreenSessions,
  from: ShownSession,
  intent: Extract<TrustedIntent, { readonly type: 'resume' }>,
): Promise<string | null> => {
  const { cli, world } = sessions;
  const nothing = nothingToResume(world, from);
  if (nothing !== null) return nothing;
  if (from.far !== undefined) {
    const { machine, session: far } = from.far;
    throw usage(
      `resume the session on its own machine: \`${printedCommand('ssh', machine.alias)}\``,
      `there, run \`cd ${printedCommand(far.workspace)} && ralph-tui resume ${far.session_id}\``,
    );
  }
  if (from.paths === null) throw usage('there is no session to resume');
  const request = prepareResume(cli, world, from.paths, from.store.getState().session, {
    attended: true,
    takeOver: false,
    flags: from.flags,
  });
  if (askTrustOnScreen(sessions, from, intent, request))
    await beginOnScreen(sessions, from, request.engine());
  return null;
};

/** Opens the start screen, or reads its plans again: a person may have fixed one. */
const offerStart = async (sessions: ScreenSessions, from: ShownSession): Promise<string | null> => {
  const { cli, world } = sessions;
  const before = from.store.getState().ui.overlays.at(-1);
  const here = workspaceOf(sessions, from);
  const fresh = startOverlay(cli.env, world, here, offeredAgents(cli, world, here));
  // The cursor counts the issues, too: those that are known stay until they were read again.
  const known = before?.kind === 'start' ? before.offers.issues : undefined;
  const overlay = known === undefined ? fresh : { ...fresh, offers: { ...fresh.offers, issues: known } };
  if (before?.kind !== 'start') {
    from.store.act({ type: 'overlay-opened', overlay });
    discoverBesideStart(sessions, from);
    offerIssuesBesideStart(sessions, from);
    return null;
  }
  const { editor } = before;
  const items = startItems(overlay);
  // An agent that is installed now is offered for the goal and no longer as an installation.
  const was = startItems(before)[before.cursor];
  const cursor = was?.kind === 'install' ? 0 : Math.min(before.cursor, items.length - 1);
  const item = items[cursor];
  const isUsable = usableAgents(overlay.offers).some((name) => name === before.agent);
  const agent = isUsable ? before.agent : overlay.agent;
  from.store.act({ type: 'overlay-closed' });
  from.store.act({ type: 'overlay-opened', overlay: { ...overlay, cursor, editor, agent } });
  offerIssuesBesideStart(sessions, from);
  if (item?.kind === 'plan' && item.plan.problem !== null) throw new Error(item.plan.problem);
  if (was?.kind === 'install') return installedWords(overlay, was.install);
  return item?.kind === 'plan' ? 'Checked again: the plan can be started' : null;
};

const installedWords = ({ offers }: StartOverlay, { label }: AgentInstall): string =>
  offers.agents.some(({ install }) => install?.label === label)
    ? `${label} is still not found: the global npm bin directory is not on the PATH`
    : `${label} is installed`;

const start = async (
  sessions: ScreenSessions,
  from: ShownSession,
  intent: Extract<TrustedIntent, { readonly type: 'start' }>,
): Promise<string | null> => {
  const { world } = sessions;
  sessions.isBeginning = true;
  const request = await prepareOrAsk(sessions, from, intent).finally(() => {
    sessions.isBeginning = false;
  });
  if (request === null) return null;
  const running = intent.beside
    ? null
    : runningBeside(world, { ...request, ...planOf(world, request, intent) });
  if (running !== null) {
    const subject = { kind: 'beside', what: running.what, intent: { ...intent, beside: true } } as const;
    from.store.act({
      type: 'overlay-opened',
      overlay: { kind: 'confirm', subject, editor: createEditor() },
    });
    return null;
  }
  if (!askTrustOnScreen(sessions, from, intent, request)) return null;
  sessions.isBeginning = true;
  const isClear = await askCriticalOnScreen(sessions, from, intent, request).finally(() => {
    sessions.isBeginning = false;
  });
  if (!isClear) return null;
  await beginOnScreen(sessions, from, request.engine());
  if (intent.start.what === 'goal') from.store.act({ type: 'edited', edit: { type: 'set', text: '' } });
  from.store.act({ type: 'overlay-closed' });
  return null;
};

/** The request, or `null` when the list of an issue's tasks was opened first. */
const prepareOrAsk = async (
  sessions: ScreenSessions,
  from: ShownSession,
  intent: Extract<TrustedIntent, { readonly type: 'start' }>,
): Promise<StartRequest | null> => {
  const { cli, world } = sessions;
  const { start: wanted } = intent;
  const workspace = workspaceOf(sessions, from);
  if (wanted.what !== 'issue') return prepareStart(cli, world, workspace, wanted);
  const prepared = await prepareIssue(cli, world, workspace, wanted);
  return askListOnScreen(from, intent, wanted, prepared) ? prepared.request : null;
};

const planOf = (
  { disk }: World,
  { workspace }: StartRequest,
  { start: chosen }: Extract<TrustedIntent, { readonly type: 'start' }>,
): { readonly text?: string } => {
  const text = chosen.what === 'plan' ? readText(disk, join(workspace, chosen.file)) : null;
  return text === null ? {} : { text };
};

/** Moves the issue as `issues move` does, and reads the tracker again. */
const moveOnScreen = async (
  sessions: ScreenSessions,
  from: ShownSession,
  { issue, state, breaksLock }: IssueIntent,
): Promise<string> => {
  const { cli, world } = sessions;
  const { tracker } = openIssuesIn(cli, world, workspaceOf(sessions, from), {});
  try {
    return movedWords(await moveIssue(cli, world, tracker, issue, state, breaksLock));
  } finally {
    from.store.act({ type: 'issues-asked' });
  }
};

/** Lists the sessions of the first, the shown and the hosted sessions' workspaces, then those seen elsewhere. */
const listChoices = async (sessions: ScreenSessions, from: ShownSession): Promise<null> => {
  const { cli, world, first, hosted } = sessions;
  const places = [from, first, ...hosted].map((each) => workspaceOf(sessions, each));
  const rows = sessionChoices(cli, world, places, from.paths?.directory ?? null);
  const cursor = Math.max(
    0,
    rows.findIndex((row) => row.shown),
  );
  from.store.act({ type: 'overlay-opened', overlay: { kind: 'sessions', rows, cursor } });
  void listFar(sessions, from);
  return null;
};

const show = async (
  sessions: ScreenSessions,
  { workspace, session }: Extract<WorldIntent, { readonly type: 'show' }>,
): Promise<null> => {
  const { cli, world, hosted } = sessions;
  const name = parseFarName(session);
  if (name !== null) {
    const machine = machineNamed(acceptedSettings(cli, world, name.runner), name.runner);
    await switchTo(sessions, showFar(cli, world, machine, await farSession(cli, world, machine, name.id)));
    return null;
  }
  const paths = sessionPaths(workspace, session);
  const open = [...hosted].find((each) => each.paths?.directory === paths.directory);
  await switchTo(sessions, open ?? showJournal(cli, readJournalOf(world, paths)));
  return null;
};
