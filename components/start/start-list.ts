import { safe } from '../../src/base/safe.ts';
import type { IssueId } from '../../src/issues/issue.ts';
import type { DetailLine } from '../../src/words/detail-line.ts';
import type { Editor } from '../keys/line-editor.ts';
import type { Start, TrustedIntent } from '../ports/start-intent.ts';

/** The offers of the start screen, as the program found them. */
export interface Offers {
  readonly workspace: string;
  /** The agents for a goal in words, in the order of the list. */
  readonly agents: readonly AgentOffer[];
  readonly plans: readonly PlanOffer[];
  /** Groups that work could begin on; absent until the tracker was read. */
  readonly issues?: readonly IssueOffer[];
  /** Why the tracker could not be read, as a sentence. */
  readonly issuesProblem?: string;
  /** The commands of the checks found in this repository, or `null`. Safe to show. */
  readonly checks: { readonly commands: readonly string[] } | null;
  /** There is no configuration yet, and an agent that one could name. */
  readonly setup?: true;
}

/** A group of issues, by the first one that is ready. Safe to show. */
export interface IssueOffer {
  readonly issue: IssueId;
  readonly title: string;
  /** Other issues of its group. */
  readonly more: number;
}

/** An agent with a model. */
export interface AgentOffer {
  readonly name: string;
  /** What is known without starting it, as in "Gemini CLI 0.61.0, login: not checked, in /usr/bin/gemini". */
  readonly about: string;
  /** Why it cannot take a goal, and what to do about it. `null`: it can. */
  readonly problem: string | null;
  /** How to install it, where a pinned package is known. Absent: it is there, or only the user knows. */
  readonly install?: AgentInstall;
}

/** The pinned package of an agent. */
export interface AgentInstall {
  readonly label: string;
  readonly command: string;
  /** Its installed size. */
  readonly megabytes: number;
}

export interface PlanOffer {
  readonly file: string;
  readonly goal: string;
  /** Why the plan cannot be started, in one sentence. */
  readonly problem: string | null;
}

export interface StartOverlay {
  readonly kind: 'start';
  readonly offers: Offers;
  /** Index into `startItems`. 0 is the goal field. */
  readonly cursor: number;
  readonly editor: Editor;
  /** The chosen agent for the goal. `null`: none can take one. */
  readonly agent: string | null;
  /** Every installation has a line of its own. */
  readonly unfolded?: boolean;
}

/** The start screen with its installations, which are its last lines, unfolded or folded again. */
export const refolded = (overlay: StartOverlay): StartOverlay => {
  const turned = { ...overlay, unfolded: overlay.unfolded !== true };
  return { ...turned, cursor: Math.min(overlay.cursor, startItems(turned).length - 1) };
};

/** The start screen with the issues that were read for it: the cursor stays on its item. */
export const withIssues = (
  overlay: StartOverlay,
  issues: readonly IssueOffer[],
  problem: string | null,
): StartOverlay => {
  const { issues: before = [], issuesProblem: _, ...others } = overlay.offers;
  const isBelow = overlay.cursor > before.length;
  return {
    ...overlay,
    offers: { ...others, issues, ...(problem === null ? {} : { issuesProblem: problem }) },
    cursor: isBelow
      ? overlay.cursor + issues.length - before.length
      : Math.min(overlay.cursor, issues.length),
  };
};

/** The agents that can take a goal. */
export const usableAgents = ({ agents }: Offers): readonly string[] =>
  agents.flatMap(({ name, problem }) => (problem === null ? [name] : []));

/** The tasks of a run for an issue, before it starts. */
export interface TaskList {
  /** What is next, and the gates. */
  readonly about: readonly DetailLine[];
  /** The tasks in words, where they are not drawn. */
  readonly list: readonly DetailLine[];
  readonly tasks: readonly ListedTask[];
}

/** Safe to show. */
export interface ListedTask {
  readonly id: string;
  readonly title: string;
  readonly blockedBy: readonly string[];
}

/** Asks whether a run for an issue starts. `top` is the first row shown. */
export interface TaskListOverlay extends TaskList {
  readonly kind: 'task-list';
  readonly title: string;
  readonly top: number;
  readonly intent: TrustedIntent;
}

/** The list of a run for an issue, and the intent that starts it. */
export const taskListOverlay = (
  list: TaskList,
  intent: TrustedIntent & { readonly start: Extract<Start, { what: 'issue' }> },
): TaskListOverlay => ({
  kind: 'task-list',
  title: `Start issue ${safe(intent.start.issue)}?`,
  ...list,
  top: 0,
  intent,
});

/** Groups of issues that work could begin on, for a run that named none. */
export interface ReadyGroupsOverlay {
  readonly kind: 'ready-groups';
  readonly groups: readonly IssueOffer[];
  readonly cursor: number;
}

/** Asks before anything from the repository runs, and lists what would run. `top` is the first line shown. */
export interface TrustOverlay {
  readonly kind: 'trust';
  readonly lines: readonly string[];
  readonly top: number;
  /** What a person looks for. */
  readonly find?: string;
  readonly intent: TrustedIntent;
}

/** Critical findings before a start: fix them, start anyway, or do not start. */
export interface CriticalOverlay {
  readonly kind: 'critical';
  readonly findings: readonly CriticalFinding[];
  readonly cursor: number;
  readonly intent: Extract<TrustedIntent, { readonly type: 'start' }>;
}

/** Safe to show. */
interface CriticalFinding {
  /** `src/a.ts:3 Your home directory is written into the code` */
  readonly line: string;
  readonly advice: string;
  /** Absolute. */
  readonly path: string | null;
}

/** A session in the picker. */
export interface SessionChoice {
  readonly workspace: string;
  /** `260215-101500`, of another machine `gpu:260215-101500`. */
  readonly session: string;
  readonly status: string;
  readonly progress: string;
  /** '' when it is unknown. */
  readonly goal: string;
  /** "3 h ago" */
  readonly ago: string;
  /** Pid of the host. */
  readonly pid: number | null;
  readonly shown: boolean;
}

export interface SessionsOverlay {
  readonly kind: 'sessions';
  readonly rows: readonly SessionChoice[];
  readonly cursor: number;
}

/** A selectable line of the start screen. */
export type StartItem =
  | { readonly kind: 'goal' }
  | { readonly kind: 'issue'; readonly offer: IssueOffer }
  | { readonly kind: 'plan'; readonly plan: PlanOffer }
  | { readonly kind: 'checks'; readonly commands: readonly string[] }
  | { readonly kind: 'demo' }
  | { readonly kind: 'setup' }
  | { readonly kind: 'install'; readonly install: AgentInstall }
  /** Leads to the installations. */
  | { readonly kind: 'installs'; readonly labels: readonly string[] };

/** The lines of the start screen. Several installations are one line until a person opens it. */
export const startItems = ({
  offers: { agents, issues = [], plans, checks, setup },
  unfolded,
}: Pick<StartOverlay, 'offers' | 'unfolded'>): readonly StartItem[] => {
  const installs = agents.flatMap(({ install }) => install ?? []);
  const isFolded = installs.length > 1 && unfolded !== true;
  return [
    { kind: 'goal' },
    ...issues.map((offer): StartItem => ({ kind: 'issue', offer })),
    ...plans.map((plan): StartItem => ({ kind: 'plan', plan })),
    ...(checks ? [{ kind: 'checks', ...checks } as const] : []),
    { kind: 'demo' },
    ...(setup ? [{ kind: 'setup' } as const] : []),
    ...(isFolded
      ? [{ kind: 'installs', labels: installs.map(({ label }) => label) } as const]
      : installs.map((install): StartItem => ({ kind: 'install', install }))),
  ];
};
