import { act, always, type Command, type CommandEffect, perform } from '../command.ts';
import { anotherSession } from '../in-lines.ts';
import { createEditor } from '../keys/line-editor.ts';
import type { ViewState } from '../view.ts';
import { type StartItem, type StartOverlay, startItems, usableAgents } from './start-list.ts';

/** Keys that start a session or show another one. */
export const startCommands: readonly Command[] = [
  ...(['main', 'end'] as const).flatMap((context): readonly Command[] => [
    {
      id: context === 'main' ? 'session.new' : 'end.new',
      context,
      keys: ['ctrl-n'],
      label: 'new',
      description: "start a session from a plan, this repository's checks or the demo",
      group: 'Arrive',
      inLines: anotherSession,
      ...(context === 'end' ? { footer: 5 } : {}),
      available: always,
      run: () => [perform({ type: 'offer' })],
    },
    {
      id: context === 'main' ? 'session.list' : 'end.sessions',
      context,
      keys: ['S'],
      label: 'sessions',
      description: 'all sessions, here and in workspaces used before',
      group: 'Arrive',
      inLines: { word: 'sessions' },
      available: always,
      run: () => [perform({ type: 'sessions' })],
    },
    {
      id: context === 'main' ? 'session.statistics' : 'end.statistics',
      context,
      keys: ['V'],
      label: 'statistics',
      description:
        'statistics for all sessions in this workspace: first-attempt passes, causes of failure, times, cost',
      group: 'Look',
      inLines: { instead: '`ralph-tui statistics` prints them' },
      available: always,
      run: () => [perform({ type: 'statistics' })],
    },
  ]),
  {
    id: 'start.choose',
    context: 'start',
    keys: ['enter'],
    label: (view) => {
      if (chosen(view)?.kind === 'install') return 'install';
      if (chosen(view)?.kind === 'installs') return 'choose one';
      if (chosen(view)?.kind === 'setup') return 'set up';
      return isBad(view) ? 'read it again' : 'start';
    },
    description: 'start the chosen entry; anything untrusted is shown first',
    group: 'Arrive',
    inLines: anotherSession,
    footer: 1,
    available: (view) => startable(view),
    run: (view) => start(view),
  },
  {
    id: 'start.agent',
    context: 'start',
    keys: ['tab'],
    label: 'agent',
    description: 'the next agent that can take the goal',
    group: 'Arrive',
    inLines: anotherSession,
    footer: 2,
    available: (view) => {
      const usable = usableOf(view);
      if (usable.length === 0) return noAgent(overlayOf(view));
      return usable.length > 1 ? true : `${usable[0]} is the only agent here that can take a goal`;
    },
    run: (view) => {
      const usable = usableOf(view);
      const at = usable.indexOf(overlayOf(view)?.agent ?? '');
      const agent = usable[(at + 1) % usable.length];
      return agent === undefined ? [] : [act({ type: 'agent-chosen', agent })];
    },
  },
  {
    id: 'ready-groups.choose',
    context: 'ready-groups',
    keys: ['enter'],
    label: 'list its tasks',
    description: 'list the tasks of this group of issues before you start it',
    group: 'Arrive',
    inLines: { instead: '`ralph-tui issues ready` lists them; `ralph-tui run --issue ID` starts one' },
    footer: 1,
    available: always,
    run: (view) => {
      const top = view.ui.overlays.at(-1);
      const group = top?.kind === 'ready-groups' ? top.groups[top.cursor] : undefined;
      if (group === undefined) return [];
      return [perform({ type: 'start', start: { what: 'issue', issue: group.issue, agent: null } })];
    },
  },
  {
    id: 'sessions.choose',
    context: 'sessions',
    keys: ['enter'],
    label: 'show',
    description: 'show the session; starts nothing',
    group: 'Arrive',
    inLines: { instead: '`ralph-tui attach ID --screen-reader` follows another session' },
    footer: 1,
    available: (view) => (session(view) === undefined ? 'There is no session yet' : true),
    run: (view) => {
      const row = session(view);
      if (row === undefined) return [];
      const close = act({ type: 'overlay-closed' });
      return row.shown
        ? [close]
        : [close, perform({ type: 'show', workspace: row.workspace, session: row.session })];
    },
  },
];

const overlayOf = (view: ViewState): StartOverlay | null => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'start' ? top : null;
};

const session = (view: ViewState) => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'sessions' ? top.rows[top.cursor] : undefined;
};

const chosen = (view: ViewState): StartItem | undefined => {
  const overlay = overlayOf(view);
  return overlay ? startItems(overlay)[overlay.cursor] : undefined;
};

/** A plan that cannot be started because of a problem in its file. */
const isBad = (view: ViewState): boolean => {
  const item = chosen(view);
  return item?.kind === 'plan' && item.plan.problem !== null;
};

const startable = (view: ViewState): true | string => {
  const item = chosen(view);
  if (item?.kind === 'goal') return goalStartable(overlayOf(view));
  return item === undefined ? 'Nothing is chosen' : true;
};

/** Names what stands below the goal and needs no agent. */
const noAgent = (overlay: StartOverlay | null): string => {
  const kinds = new Set(overlay === null ? [] : startItems(overlay).map(({ kind }) => kind));
  const others = [...(kinds.has('plan') ? ['a plan'] : []), ...(kinds.has('checks') ? ['the checks'] : [])];
  return `No agent here takes a goal: choose ${[others.join(', '), 'the demo'].filter(Boolean).join(' or ')}`;
};

const usableOf = (view: ViewState): readonly string[] => {
  const overlay = overlayOf(view);
  return overlay === null ? [] : usableAgents(overlay.offers);
};

const goalStartable = (overlay: StartOverlay | null): true | string => {
  if (overlay?.agent == null) return noAgent(overlay);
  return overlay.editor.text.trim() === '' ? 'Type a goal first' : true;
};

const start = (view: ViewState): readonly CommandEffect[] => {
  const item = chosen(view);
  switch (item?.kind) {
    case 'demo':
    case 'checks':
      return [perform({ type: 'start', start: { what: item.kind } })];
    case 'setup':
      return [perform({ type: 'set-up' })];
    case 'installs':
      return [act({ type: 'installs-folding-toggled' })];
    case 'install': {
      const subject = { kind: 'install', install: item.install } as const;
      return [act({ type: 'overlay-opened', overlay: { kind: 'confirm', subject, editor: createEditor() } })];
    }
    case 'goal': {
      const { editor, agent } = overlayOf(view) ?? {};
      return agent == null || editor === undefined
        ? []
        : [perform({ type: 'start', start: { what: 'goal', goal: editor.text.trim(), agent } })];
    }
    case 'issue': {
      const agent = overlayOf(view)?.agent ?? null;
      return [perform({ type: 'start', start: { what: 'issue', issue: item.offer.issue, agent } })];
    }
    case 'plan':
      // The plan may have been fixed meanwhile: reads it again, or shows its problem again.
      if (item.plan.problem !== null) return [perform({ type: 'offer' })];
      return [perform({ type: 'start', start: { what: 'plan', file: item.plan.file } })];
    default:
      return [];
  }
};
