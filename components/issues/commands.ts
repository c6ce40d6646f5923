import {
  act,
  always,
  type Command,
  type CommandEffect,
  needAnswered,
  perform,
  terminal,
} from '../command.ts';
import { issuesCommand, runIssue } from '../in-lines.ts';
import { focusedPane } from '../panes.ts';
import type { ViewState } from '../view.ts';
import { selectIssue, selectIssues } from './select-issues.ts';
import { movesOf, selectMove } from './select-move.ts';

/** Keys of the Issues tab. */
export const issueCommands: readonly Command[] = [
  {
    id: 'issues.refresh',
    context: 'main',
    keys: ['ctrl-l'],
    label: 'reload',
    description: 'reload the issues from the tracker',
    group: 'Look',
    inLines: issuesCommand,
    footer: 6,
    offered: inIssues,
    available: always,
    run: () => [act({ type: 'tab-chosen', tab: 'issues' }), act({ type: 'issues-asked' })],
  },
  {
    id: 'issues.start',
    context: 'main',
    keys: ['B'],
    label: 'begin',
    description: 'start the issue and its group; lists the tasks first',
    group: 'Arrive',
    inLines: runIssue,
    footer: 3,
    offered: inIssues,
    available: (view) => {
      const issue = issueHere(view);
      if (typeof issue === 'string') return issue;
      const row = selectIssues(view)?.rows.find((each) => each.kind === 'issue' && each.id === issue.id);
      return row?.kind === 'issue' && row.ready
        ? true
        : 'This issue is not ready: its details say what it is waiting for';
    },
    run: (view) => {
      const issue = issueHere(view);
      if (typeof issue === 'string') return [];
      return [perform({ type: 'start', start: { what: 'issue', issue: issue.id, agent: null } })];
    },
  },
  {
    id: 'issues.browse',
    context: 'main',
    keys: ['O'],
    label: 'browser',
    description: "open the issue's page in the browser",
    group: 'Look',
    inLines: issuesCommand,
    footer: 5,
    offered: inIssues,
    available: (view) => {
      const issue = issueHere(view);
      if (typeof issue === 'string') return issue;
      return issue.url === undefined ? 'This issue has no web page' : true;
    },
    run: (view) => {
      const issue = issueHere(view);
      if (typeof issue === 'string' || issue.url === undefined) return [];
      return [terminal({ type: 'browse', url: issue.url })];
    },
  },
  {
    id: 'issues.move',
    context: 'main',
    keys: ['X'],
    label: 'move',
    description: 'move the issue to a state that you choose',
    group: 'Decide',
    inLines: issuesCommand,
    footer: 4,
    offered: inIssues,
    available: (view) => {
      const issue = issueHere(view);
      if (typeof issue === 'string') return issue;
      return movesOf(issue).length > 0 ? true : `${issue.state} is final: the issue cannot be moved`;
    },
    run: (view) => {
      const issue = issueHere(view);
      if (typeof issue === 'string') return [];
      return [act({ type: 'overlay-opened', overlay: { kind: 'move-issue', issue: issue.id, cursor: 0 } })];
    },
  },
  {
    id: 'move-issue.choose',
    context: 'move-issue',
    keys: ['enter'],
    label: 'move',
    description: 'move the issue to the chosen state',
    group: 'Decide',
    inLines: issuesCommand,
    footer: 1,
    available: (view) => {
      const question = questionOf(view);
      if (question === null) return 'The issue no longer exists';
      return question.lock === null ? true : 'A session holds this issue: {move-issue.break} takes the lock';
    },
    run: (view) => moves(view, false),
  },
  {
    id: 'move-issue.break',
    context: 'move-issue',
    keys: ['B'],
    label: 'break the lock',
    description: 'take the lock from the session that holds the issue, then move the issue',
    group: 'Decide',
    inLines: issuesCommand,
    footer: 2,
    offered: (view) => questionOf(view)?.lock !== null,
    available: (view) =>
      questionOf(view)?.lock ? true : 'No session holds this issue: {move-issue.choose} moves it',
    run: (view) => moves(view, true),
  },
];

function inIssues(view: ViewState): boolean {
  return focusedPane(view).name === 'issues';
}

const issueHere = (view: ViewState) => {
  if (!inIssues(view)) return 'Issues are in their own tab: {look.issues} shows them';
  return selectIssue(view) ?? 'No issue is chosen';
};

const questionOf = (view: ViewState) => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'move-issue' ? selectMove(view, top) : null;
};

const moves = (view: ViewState, breaksLock: boolean): readonly CommandEffect[] => {
  const top = view.ui.overlays.at(-1);
  const question = questionOf(view);
  const state = top?.kind === 'move-issue' ? question?.states[top.cursor] : undefined;
  return question === null || state === undefined
    ? []
    : [
        act({ type: 'overlay-closed' }),
        needAnswered,
        perform({ type: 'move-issue', issue: question.id, state, breaksLock }),
      ];
};
