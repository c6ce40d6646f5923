import { isRecord } from '../../base/json.ts';
import { editYaml, formatYaml } from '../../tasks/yaml-edit.ts';
import { modelsIn, type SetupAnswers, type SetupOffers } from './questions.ts';

/**
 * The text of `.ralph/config.yaml` after the answers; `null` when it says all of it already. A new file explains each key. In an existing one only the
 * values that differ change: a person's comments and other keys stay.
 */
export const setupConfig = (
  before: string | null,
  offers: SetupOffers,
  answers: SetupAnswers,
): string | null => {
  const wanted = wantedSettings(answers, offers);
  const changes = changedPart(wanted, offers.written);
  if (Object.keys(changes).length === 0) return null;
  return before === null || before.trim() === '' ? firstConfig(wanted) : editYaml(before, changes);
};

/** What the answers change, in lines: `roles.planner: gemini (was codex)`. */
export const setupLines = (offers: SetupOffers, answers: SetupAnswers): readonly string[] => {
  const lines = linesOf(changedPart(wantedSettings(answers, offers), offers.written), offers.written);
  return [
    ...(lines.length === 0
      ? ['.ralph/config.yaml already says all of this.']
      : ['.ralph/config.yaml', ...lines.map((line) => `  ${line}`)]),
    ...(offers.shows ? ['.gitignore', '  .ralph-sessions/'] : []),
  ];
};

type Values = Readonly<Record<string, unknown>>;

const wantedSettings = (answers: SetupAnswers, { settings: setup }: SetupOffers): Values => {
  const { agent, planner, reviewer, models, permissions, isolation, install, verify } = answers;
  const plans = planner ?? agent;
  const reviews = reviewer ?? agent;
  const named = modelsIn(models ?? '');
  const isSame = (verify ?? '').trim() === setup.loop.verify.join(' && ');
  const prepares = (install ?? '').trim() !== '' && isolation !== 'shared';
  return {
    ...(agent === undefined || agent === ''
      ? {}
      : {
          roles: {
            planner: plans,
            questioner: plans,
            executor: agent,
            reviewer: reviews,
            librarian: reviews,
          },
        }),
    ...(Object.keys(named).length === 0 ? {} : { models: named }),
    ...(permissions === undefined ? {} : { permissions }),
    ...(isolation === undefined ? {} : { isolation }),
    ...(prepares ? { worktree: { setup: [install?.trim()] } } : {}),
    ...(verify === undefined || verify.trim() === '' || isSame ? {} : { loop: { verify: [verify.trim()] } }),
    ...flowSettings(answers),
  };
};

const flowSettings = ({ tracker, plan_review, auto_merge }: SetupAnswers): Values => {
  const flow = {
    ...(tracker === undefined ? {} : { tracker }),
    ...(plan_review === undefined ? {} : { plan_review }),
    ...(auto_merge === undefined ? {} : { auto_merge: auto_merge === 'yes' }),
  };
  return Object.keys(flow).length === 0 ? {} : { flow };
};

/** The part of the values that another value holds differently. */
const changedPart = (wanted: Values, before: Values): Values =>
  Object.fromEntries(
    Object.entries(wanted).flatMap(([key, value]) => {
      const old = before[key];
      if (isRecord(value)) {
        const inner = changedPart(value, isRecord(old) ? old : {});
        return Object.keys(inner).length === 0 ? [] : [[key, inner] as const];
      }
      return JSON.stringify(value) === JSON.stringify(old) ? [] : [[key, value] as const];
    }),
  );

const linesOf = (changes: Values, before: Values, path = ''): readonly string[] =>
  Object.entries(changes).flatMap(([key, value]) => {
    const old = before[key];
    if (isRecord(value)) return linesOf(value, isRecord(old) ? old : {}, `${path}${key}.`);
    return [`${path}${key}: ${shown(value)}${old === undefined ? '' : ` (was ${shown(old)})`}`];
  });

const shown = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(', ') : String(value);

/** The comment above each key of a new file. */
const comments: Readonly<Record<string, string>> = {
  roles:
    'Who does what. `ralph-tui doctor` lists the agents, and `ralph-tui doctor --verify NAME` tries one.',
  models: 'Models by role, as the agent names them. A role without one leaves the choice to its agent.',
  permissions: 'What agents may do without asking: ask, edits, workspace or all.',
  isolation:
    'Where tasks change files: worktree (each task in its own, merged into a branch), shared, or auto.',
  worktree: 'The commands that prepare each new worktree.',
  flow: 'Where the issues are, who reviews their plans, and whether pull requests are merged automatically.',
  loop: 'The command that checks the work. The Planner gets it for its tasks; a loop ends only when it passes.',
};

const firstConfig = (values: Values): string =>
  [
    '# Settings of ralph-tui for this repository, written by `ralph-tui init`.',
    '# `ralph-tui config show` prints every key, and `ralph-tui config check` checks this file.',
    ...Object.entries(values).map(([key, value]) => {
      const comment = comments[key];
      return `\n${comment === undefined ? '' : `# ${comment}\n`}${formatYaml({ [key]: value }).trimEnd()}`;
    }),
    '',
  ].join('\n');
