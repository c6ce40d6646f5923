import { printedCommand } from '../../base/process/printed-command.ts';
import { safe } from '../../base/safe.ts';
import {
  answerProblem,
  type SetupAnswers,
  type SetupId,
  type SetupOffers,
  setupQuestions,
  withOffered,
} from '../../session/setup/questions.ts';
import { setupLines } from '../../session/setup/setup-config.ts';
import { type Cli, Exit, exitCodes, usage } from '../cli.ts';
import type { World } from '../world.ts';
import { writeSetup } from './write-setup.ts';

/** The options of `init` as they stand on the command line. */
export interface InitOptions {
  readonly agent?: string;
  readonly permissions?: string;
  /** `planner=gemini` */
  readonly role?: readonly string[];
  /** `planner=NAME` */
  readonly model?: readonly string[];
  readonly isolation?: string;
  /** What prepares each new worktree. */
  readonly setup?: string;
  readonly verify?: string;
  readonly tracker?: string;
  readonly planReview?: string;
  readonly autoMerge?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const roles = ['planner', 'executor', 'reviewer'] as const;

/** The answers that the options give. Throws a usage error that names the option. */
export const answersOf = (
  offers: SetupOffers,
  known: readonly string[],
  options: InitOptions,
): SetupAnswers => {
  const agents = Object.fromEntries(
    (options.role ?? []).map((word): readonly [SetupId, string] => {
      const [role = '', name = ''] = word.split('=');
      const found = roles.find((each) => each === role);
      if (found === undefined)
        throw usage(
          `--role ${safe(word)} names no role`,
          'write --role planner=NAME; roles are planner, executor, reviewer',
        );
      return [found === 'executor' ? 'agent' : found, name];
    }),
  );
  const named = { ...(options.agent === undefined ? {} : { agent: options.agent }), ...agents };
  for (const name of Object.values(named))
    if (!known.includes(name))
      throw usage(
        `unknown agent "${safe(name)}"`,
        `known are ${known.map(safe).join(', ')}; \`ralph-tui doctor\` lists them`,
      );
  const models = options.model?.join(' ');
  const wrong = models === undefined ? null : answerProblem('models', models);
  if (wrong !== null) throw usage(wrong);
  const noTracker = options.tracker === undefined ? null : answerProblem('tracker', options.tracker);
  if (noTracker !== null) throw usage(noTracker);
  if (options.isolation === 'worktree' && !offers.canIsolate)
    throw usage('--isolation worktree needs a git repository with a commit', 'commit first, or leave it out');
  if (options.setup !== undefined && options.isolation === 'shared')
    throw usage('--setup prepares worktrees, and --isolation shared has none', 'leave one of them out');
  return {
    ...named,
    ...(models === undefined ? {} : { models }),
    ...(options.permissions === undefined ? {} : { permissions: options.permissions }),
    ...(options.isolation === undefined ? {} : { isolation: options.isolation }),
    ...(options.setup === undefined ? {} : { install: options.setup }),
    ...(options.verify === undefined ? {} : { verify: options.verify }),
    ...(options.tracker === undefined ? {} : { tracker: options.tracker }),
    ...(options.planReview === undefined ? {} : { plan_review: options.planReview }),
    ...(options.autoMerge === undefined ? {} : { auto_merge: options.autoMerge ? 'yes' : 'no' }),
  };
};

/** Writes by the options alone. A configuration that exists needs `--yes`. */
export const initByOptions = (
  cli: Cli,
  world: World,
  workspace: string,
  {
    offers,
    answers,
    exists,
    options,
  }: {
    readonly offers: SetupOffers;
    readonly answers: SetupAnswers;
    readonly exists: boolean;
    readonly options: InitOptions;
  },
): number => {
  if (Object.keys(answers).length === 0 && options.yes !== true)
    throw usage(
      'init asks in a terminal, and this is none',
      'say it with --agent NAME; see `ralph-tui init --help`',
    );
  if (exists && options.yes !== true)
    throw new Exit(exitCodes.waits, {
      code: 'needs-yes',
      what: '.ralph/config.yaml exists, and a change needs confirmation',
      hint: 'add --yes, which changes only these keys and keeps the rest',
    });
  // A file that exists changes only where an option says so.
  const all = exists ? answers : withOffered(offers, { install: '', ...answers });
  const lines = setupLines(offers, all);
  const sentence = writeSetup(cli, world, workspace, offers, all);
  if (options.json) cli.printJson({ id: '.ralph/config.yaml', file: '.ralph/config.yaml', written: true });
  else for (const line of [...lines, sentence]) cli.print(safe(line));
  const { install } = withOffered(offers, answers);
  if (!exists && answers.install === undefined && install !== undefined)
    cli.note(
      `New worktrees are not prepared: \`${printedCommand('ralph-tui', 'init', '--setup', install, '--yes')}\` adds it.`,
    );
  return exitCodes.done;
};

/** Asks line by line. An empty line takes what is offered; `q` or the end of the input writes nothing. */
export const initInLines = async (
  cli: Cli,
  world: World,
  workspace: string,
  { offers, answers }: { readonly offers: SetupOffers; readonly answers: SetupAnswers },
): Promise<number> => {
  let given: SetupAnswers = answers;
  // Each answer may decide which questions follow.
  for (let step = 0; ; step += 1) {
    const question = setupQuestions(offers, given)[step];
    if (question === undefined) break;
    const answer = await askLine(cli, offers, given, question);
    if (answer === null) return nothing(cli);
    given = { ...given, [question.id]: answer };
  }
  const last = await typed(cli, ['', ...setupLines(offers, given).map(safe)], 'Write this? [Y/n]');
  if (last === null || !/^(?:y(?:es)?)?$/i.test(last)) return nothing(cli);
  cli.print(writeSetup(cli, world, workspace, offers, given));
  return exitCodes.done;
};

const nothing = (cli: Cli): number => {
  cli.print('Nothing was written.');
  return exitCodes.done;
};

const askLine = async (
  cli: Cli,
  offers: SetupOffers,
  given: SetupAnswers,
  { id, question, help, items }: ReturnType<typeof setupQuestions>[number],
): Promise<string | null> => {
  const offered = withOffered(offers, given)[id] ?? '';
  const list = items.flatMap(({ label, detail }, index) => [
    `${index + 1}  ${safe(label)}`,
    `   ${safe(detail)}`,
  ]);
  const prompt =
    items.length === 0
      ? `${offered === '' ? 'Empty' : `An empty line takes "${safe(offered)}"`}; - for none:`
      : `A number, or an empty line for ${safe(offered)}:`;
  for (let lines: readonly string[] = ['', question, ...(help === '' ? [] : [help]), ...list]; ; ) {
    const answer = await typed(cli, lines, prompt);
    if (answer === null) return null;
    const meant = meaningOf(answer, offered, items);
    const problem =
      meant === null ? `"${safe(answer)}" is no number from 1 to ${items.length}.` : answerProblem(id, meant);
    if (problem === null && meant !== null) return meant;
    lines = [problem ?? ''];
  }
};

const meaningOf = (
  answer: string,
  offered: string,
  items: readonly { readonly id: string }[],
): string | null => {
  if (answer === '') return offered;
  if (items.length === 0) return answer === '-' ? '' : answer;
  return items[Number(answer) - 1]?.id ?? items.find(({ id }) => id === answer)?.id ?? null;
};

const typed = async (cli: Cli, lines: readonly string[], prompt: string): Promise<string | null> => {
  const answer = await cli.typed.answer(() => {
    for (const line of lines) cli.print(line);
    cli.stdout.write(`${prompt} `);
  });
  const text = answer?.trim() ?? null;
  return text === null || /^q(?:uit)?$/i.test(text) ? null : text;
};
