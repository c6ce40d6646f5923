import { permissionPresets } from '../settings/permission-presets.ts';
import type { PartialSettings, Settings } from '../settings.ts';

/** The questions of `ralph-tui init`, in order. */
export const setupIds = [
  'agent',
  'planner',
  'reviewer',
  'models',
  'permissions',
  'isolation',
  'verify',
] as const;
export type SetupId = (typeof setupIds)[number];

/** The answers as text: a name, a preset, or what was typed. */
export type SetupAnswers = Readonly<Partial<Record<SetupId, string>>>;

/** What is known before the first question. Texts are safe to show. */
export interface SetupOffers {
  /** Agents that can be started. `about`: `Gemini CLI 0.61.0, login: not checked, in /usr/bin/gemini`. */
  readonly agents: readonly { readonly name: string; readonly about: string }[];
  /** What holds now, by whatever file. */
  readonly settings: Pick<Settings, 'agents' | 'roles' | 'models' | 'permissions' | 'isolation' | 'loop'>;
  /** What the file of the workspace says now. */
  readonly written: PartialSettings;
  /** A git repository with a commit, so that tasks can have worktrees. */
  readonly canIsolate: boolean;
  /** One shell line with the repository's own checks, or ''. */
  readonly checks: string;
  /** What prepares a fresh checkout, or ''. */
  readonly install: string;
  /** Git would show the sessions' files. */
  readonly shows: boolean;
}

/** One question: a choice, or words where `items` is empty. */
export interface SetupQuestion {
  readonly id: SetupId;
  readonly question: string;
  readonly help: string;
  readonly items: readonly SetupItem[];
}

export interface SetupItem {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
}

/** The questions that apply. With one agent nobody is asked who plans. */
export const setupQuestions = ({ agents, canIsolate }: SetupOffers): readonly SetupQuestion[] => {
  const several = agents.length > 1;
  return questions(agents.map(({ name, about }) => ({ id: name, label: name, detail: about }))).filter(
    ({ id }) => (several || (id !== 'planner' && id !== 'reviewer')) && (canIsolate || id !== 'isolation'),
  );
};

const questions = (agents: readonly SetupItem[]): readonly SetupQuestion[] => [
  { id: 'agent', question: 'Which agent does the work?', help: '', items: agents },
  { id: 'planner', question: 'Which agent asks and plans?', help: '', items: agents },
  { id: 'reviewer', question: 'Which agent reviews and keeps lessons?', help: '', items: agents },
  {
    id: 'models',
    question: 'Which models?',
    help: 'By role, as the agent names them: planner=NAME executor=NAME reviewer=NAME. Empty: each agent chooses.',
    items: [],
  },
  {
    id: 'permissions',
    question: 'What may agents do unasked?',
    help: '',
    items: permissionPresets.map((id) => ({ id, label: id, detail: presetWords[id] })),
  },
  { id: 'isolation', question: 'Where do tasks change files?', help: '', items: isolationItems },
  {
    id: 'verify',
    question: 'Which command shows that the work is good?',
    help: 'The Planner gets it for its tasks, and a loop ends as complete only when it passes. Empty: none.',
    items: [],
  },
];

const presetWords: Readonly<Record<Settings['permissions'], string>> = {
  ask: 'Reads inside the workspace. Edits, commands and the network wait for you.',
  edits: 'Also edits inside the workspace. Commands and the network wait for you.',
  workspace: 'Also commands that run inside the workspace. The network waits for you.',
  all: 'Everything, outside the workspace and over the network, too. Nothing waits for you.',
};

const isolationItems: readonly SetupItem[] = [
  {
    id: 'auto',
    label: 'auto',
    detail: 'worktree where a model works on the tasks and the repository allows it, else shared.',
  },
  {
    id: 'worktree',
    label: 'worktree',
    detail:
      'Each task in a git worktree of its own. What passes is merged onto a branch; your files stay until you say so.',
  },
  {
    id: 'shared',
    label: 'shared',
    detail: 'All in your working directory. Tasks that change the same files run one after the other.',
  },
];

/** The answer that is offered first: what holds now, else what was found. */
export const offeredAnswer = (id: SetupId, offers: SetupOffers, answers: SetupAnswers): string => {
  const { agents, settings, checks } = offers;
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
    case 'verify':
      return settings.loop.verify.length > 0 ? settings.loop.verify.join(' && ') : checks;
  }
};

/** Every answer that was not given, as it is offered. */
export const withOffered = (offers: SetupOffers, answers: SetupAnswers): SetupAnswers => {
  const all: Partial<Record<SetupId, string>> = { ...answers };
  for (const { id } of setupQuestions(offers)) all[id] ??= offeredAnswer(id, offers, all);
  return all;
};

/** Why an answer cannot be used, as a sentence for the person, or `null`. */
export const answerProblem = (id: SetupId, answer: string): string | null => {
  if (id !== 'models') return null;
  const wrong = answer.split(/[\s,]+/).find((word) => word !== '' && !modelWord.test(word));
  return wrong === undefined
    ? null
    : `"${wrong}" is no role with a model: write planner=NAME, for ${modelRoles.join(', ')}`;
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
