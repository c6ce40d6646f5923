import { formatFault } from '../../base/fault.ts';
import {
  type PlacedTracker,
  placedTrackers,
  type TrackerName,
  trackerNamed,
  trackerNames,
} from '../../issues/trackers/tracker-name.ts';
import { ask, type Choice, type Question } from '../forms/question.ts';
import { permissionPresets } from '../settings/permission-presets.ts';
import type { PartialSettings, Settings } from '../settings.ts';

/** The questions of `ralph-tui init`. */
export type SetupId =
  | 'agent'
  | 'planner'
  | 'reviewer'
  | 'models'
  | 'permissions'
  | 'isolation'
  | 'install'
  | 'verify'
  | 'tracker'
  | 'plan_review'
  | 'auto_merge';

/** The answers as text: a name, a preset, or what was typed. */
export type SetupAnswers = Readonly<Partial<Record<SetupId, string>>>;

/** What is known before the first question. Texts are safe to show. */
export interface SetupOffers {
  /** Agents that can be started. `about`: `Gemini CLI 0.61.0, login: not checked, in /usr/bin/gemini`. */
  readonly agents: readonly { readonly name: string; readonly about: string }[];
  /** What holds now, by whatever file. */
  readonly settings: Pick<
    Settings,
    'agents' | 'roles' | 'models' | 'permissions' | 'isolation' | 'loop' | 'flow'
  >;
  /** What the file of the workspace says now. */
  readonly written: PartialSettings;
  /** A git repository with a commit, so that tasks can have worktrees. */
  readonly canIsolate: boolean;
  /** One shell line with the repository's own checks, or ''. */
  readonly checks: string;
  /** What prepares a fresh checkout, or ''. */
  readonly install: string;
  /** What was found of each tracker: `TODO.md`, `the program bd`. */
  readonly trackers: Readonly<Partial<Record<TrackerName, string>>>;
  /** Git would show the sessions' files. */
  readonly shows: boolean;
}

/** The questions that apply after these answers. With one agent nobody is asked who plans, and without worktrees not what prepares them. */
export const setupQuestions = (offers: SetupOffers, answers: SetupAnswers): readonly Question<SetupId>[] => {
  const { agents, canIsolate, install, written } = offers;
  const several = agents.length > 1;
  const prepares =
    canIsolate && answers.isolation !== 'shared' && install !== '' && written.worktree === undefined;
  const items = agents.map(({ name, about }) => ({ id: name, label: name, detail: about }));
  return [...questions(items), ...flowQuestions(offers)]
    .filter(
      ({ id }) =>
        (several || (id !== 'planner' && id !== 'reviewer')) &&
        (canIsolate || id !== 'isolation') &&
        (prepares || id !== 'install'),
    )
    .map((question) => ({ ...question, offered: offeredAnswer(question.id, offers, answers) }));
};

const questions = (options: readonly Choice[]): readonly Question<SetupId>[] => [
  ask('agent', 'choice', 'Which agent does the work?', { options }),
  ask('planner', 'choice', 'Which agent asks questions and plans?', { options }),
  ask('reviewer', 'choice', 'Which agent reviews work and keeps lessons?', { options }),
  ask('models', 'words', 'Which models?', {
    help: 'By role, as the agent names them: planner=NAME executor=NAME reviewer=NAME. Empty: each agent chooses.',
    optional: true,
  }),
  ask('permissions', 'choice', 'What may agents do without asking?', {
    options: permissionPresets.map((id) => ({ id, label: id, detail: presetWords[id] })),
  }),
  ask('isolation', 'choice', 'Where do tasks change files?', { options: isolationItems }),
  ask('install', 'words', 'Which command prepares a new worktree?', {
    help: 'It runs in each new worktree before the agent does. Empty: none.',
    optional: true,
  }),
  ask('verify', 'words', 'Which command checks the work?', {
    help: 'The Planner gets it for its tasks, and a loop ends as complete only when it passes. Empty: none.',
    optional: true,
  }),
];

const flowQuestions = ({ settings, trackers }: SetupOffers): readonly Question<SetupId>[] => {
  const { tracker } = settings.flow;
  // A name with a file or a team is no item of the list, but may hold now.
  const own = trackerNames.some((name) => name === tracker)
    ? []
    : [{ id: tracker, label: tracker, detail: 'As in the current settings.' }];
  const offered = trackerNames
    .filter((name) => !isPlaced(name))
    .map((name) => {
      const sign = trackers[name];
      return {
        id: name,
        label: name,
        detail: `${trackerWords[name]}${sign === undefined ? '' : ` Found here: ${sign}.`}`,
      };
    });
  return [
    ask('tracker', 'choice', 'Where are the issues?', { options: [...own, ...offered] }),
    ask('plan_review', 'choice', 'Who reviews the plan for an issue?', { options: reviewItems }),
    ask('auto_merge', 'choice', 'Are pull requests merged automatically?', { options: mergeItems }),
  ];
};

const isPlaced = (name: TrackerName): name is PlacedTracker => placedTrackers.some((each) => each === name);

const trackerWords: Readonly<Record<Exclude<TrackerName, PlacedTracker>, string>> = {
  native: 'Files in .ralph/issues, which `ralph-tui issues` reads and writes.',
  prd: 'The stories in a prd.json.',
  markdown: 'A checklist in TODO.md.',
  beads: 'Issues in beads, through the program bd.',
  gh: "The repository's issues on GitHub, through the program gh.",
};

const reviewItems: readonly Choice[] = [
  {
    id: 'human',
    label: 'a person',
    detail: 'The validator reviews each plan, which then waits for your approval.',
  },
  { id: 'auto', label: 'the validator alone', detail: 'Work begins once an agent approves the plan.' },
  { id: 'skip', label: 'no one', detail: 'Work begins as soon as there is a plan.' },
];

const mergeItems: readonly Choice[] = [
  { id: 'no', label: 'no', detail: 'The session ends with pull requests, and you merge them.' },
  { id: 'yes', label: 'yes', detail: 'Each one is merged when its checks have passed.' },
];

const presetWords: Readonly<Record<Settings['permissions'], string>> = {
  ask: 'Reads inside the workspace. Edits, commands and the network wait for you.',
  edits: 'Also edits inside the workspace. Commands and the network wait for you.',
  workspace: 'Also commands that run inside the workspace. The network waits for you.',
  all: 'Everything, including outside the workspace and over the network. Nothing waits for you.',
};

const isolationItems: readonly Choice[] = [
  {
    id: 'auto',
    label: 'auto',
    detail: 'worktree where a model works on the tasks and the repository allows it, otherwise shared.',
  },
  {
    id: 'worktree',
    label: 'worktree',
    detail:
      'Each task in its own git worktree. Work that passes is merged into a branch; your files stay unchanged until you say so.',
  },
  {
    id: 'shared',
    label: 'shared',
    detail: 'All in your working directory. Tasks that change the same files run one after another.',
  },
];

/** What holds now, else what was found. */
const offeredAnswer = (id: SetupId, offers: SetupOffers, answers: SetupAnswers): string => {
  const { agents, settings, checks, install } = offers;
  const known = (name: string | undefined): string | undefined =>
    agents.some((agent) => agent.name === name) ? name : undefined;
  switch (id) {
    case 'agent':
      return known(settings.roles['executor']) ?? agents[0]?.name ?? '';
    case 'planner':
    case 'reviewer':
      return known(settings.roles[id]) ?? answers.agent ?? '';
    case 'models':
      return Object.entries(settings.models)
        .map(([role, model]) => `${role}=${model}`)
        .join(' ');
    case 'permissions':
      return settings.permissions;
    case 'isolation':
      return settings.isolation;
    case 'install':
      return install;
    case 'verify':
      return settings.loop.verify.length > 0 ? settings.loop.verify.join(' && ') : checks;
    case 'tracker':
      return settings.flow.tracker;
    case 'plan_review':
      return settings.flow.plan_review;
    case 'auto_merge':
      return settings.flow.auto_merge ? 'yes' : 'no';
  }
};

/** Why an answer cannot be used, as a sentence for the person, or `null`. */
export const answerProblem = (id: string, answer: string): string | null => {
  if (id === 'tracker') {
    const named = trackerNamed(answer);
    return named.ok ? null : named.faults.map(formatFault).join(' · ');
  }
  if (id !== 'models') return null;
  const wrong = answer.split(/[\s,]+/).find((word) => word !== '' && !modelWord.test(word));
  return wrong === undefined ? null : `"${wrong}" is not ROLE=NAME: the roles are ${modelRoles.join(', ')}`;
};

const modelRoles = ['planner', 'questioner', 'executor', 'reviewer', 'librarian'] as const;
const modelWord = new RegExp(`^(${modelRoles.join('|')})=(.+)$`);

/** `planner=a reviewer=b` as a map. Leaves out what is no role with a model. */
export const modelsIn = (answer: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    answer.split(/[\s,]+/).flatMap((word) => {
      const [, role, model] = modelWord.exec(word) ?? [];
      return role === undefined || model === undefined ? [] : [[role, model] as const];
    }),
  );
