import { type Command, perform } from '../command.ts';
import type { InLines } from '../in-lines.ts';
import { selectIssue } from '../issues/select-issues.ts';
import { focusedPane } from '../panes.ts';
import type { ViewState } from '../view.ts';

const lineByLine: InLines = {
  instead: '`ralph-tui skill NAME --screen-reader` holds the conversation line by line',
};

/** The skills that the palette offers, with what they are for. `issue`: the chosen issue is their subject. */
const skills = [
  {
    name: 'draft-idea',
    label: 'draft an idea',
    description: 'draft an idea (a few questions, no model)',
    issue: false,
  },
  {
    name: 'form-idea',
    label: 'form an idea',
    description: 'turn an idea into an issue, without a model',
    issue: false,
  },
  {
    name: 'research-codebase',
    label: 'research',
    description: 'research the code with an agent; the chosen issue is the question',
    issue: true,
  },
  {
    name: 'create-plan',
    label: 'create a plan',
    description: 'create a plan with an agent, for the chosen issue',
    issue: true,
  },
  {
    name: 'iterate-plan',
    label: 'revise a plan',
    description: 'revise a plan with an agent; small edits, shown before they are kept',
    issue: true,
  },
  {
    name: 'implement-plan',
    label: 'implement a plan',
    description: 'implement a plan phase by phase with an agent, in a worktree',
    issue: true,
  },
] as const;

/** Conversations beside a session. They have no keys of their own: the palette lists them, and `ui.keys` can give them some. */
export const skillCommands: readonly Command[] = [
  ...skills.map(
    ({ name, label, description, issue }): Command => ({
      id: `skill.${name}`,
      context: 'main',
      keys: [],
      label,
      description: `skill: ${description}`,
      group: 'Arrive',
      inLines: lineByLine,
      available,
      run: (view) => [perform({ type: 'skill', name, argument: issue ? chosenIssue(view) : '' })],
    }),
  ),
  {
    id: 'skill.continue',
    context: 'main',
    keys: [],
    label: 'continue a skill',
    description: 'skill: continue your latest conversation',
    group: 'Arrive',
    inLines: lineByLine,
    available,
    run: () => [perform({ type: 'skill', name: null, argument: '' })],
  },
];

function available(view: ViewState): true | string {
  return view.connection === 'replay' ? 'This is a replay: it only shows a session' : true;
}

/** `#42` while the Issues tab has the keys, else ''. */
const chosenIssue = (view: ViewState): string => {
  const issue = focusedPane(view).name === 'issues' ? selectIssue(view) : null;
  return issue === null ? '' : `#${issue.id}`;
};
