import { printedCommand } from '../../base/process/printed-command.ts';
import { safe } from '../../base/safe.ts';
import { withOffered } from '../../session/forms/form.ts';
import {
  answerProblem,
  type SetupAnswers,
  type SetupId,
  type SetupOffers,
} from '../../session/setup/questions.ts';
import { setupLines } from '../../session/setup/setup-config.ts';
import { setupForm } from '../../session/setup/setup-form.ts';
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
          `--role ${safe(word)} is not a known role`,
          'write --role planner=NAME; the roles are planner, executor and reviewer',
        );
      return [found === 'executor' ? 'agent' : found, name];
    }),
  );
  const named = { ...(options.agent === undefined ? {} : { agent: options.agent }), ...agents };
  for (const name of Object.values(named))
    if (!known.includes(name))
      throw usage(
        `unknown agent "${safe(name)}"`,
        `known: ${known.map(safe).join(', ')}; \`ralph-tui doctor\` lists them`,
      );
  const models = options.model?.join(' ');
  const wrong = models === undefined ? null : answerProblem('models', models);
  if (wrong !== null) throw usage(wrong);
  const noTracker = options.tracker === undefined ? null : answerProblem('tracker', options.tracker);
  if (noTracker !== null) throw usage(noTracker);
  if (options.isolation === 'worktree' && !offers.canIsolate)
    throw usage(
      '--isolation worktree needs a git repository with a commit',
      'commit first, or leave the option out',
    );
  if (options.setup !== undefined && options.isolation === 'shared')
    throw usage('--setup prepares worktrees, but --isolation shared has none', 'leave one of them out');
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
      'init needs a terminal to ask its questions',
      'without one, answer with options such as --agent NAME; see `ralph-tui init --help`',
    );
  if (exists && options.yes !== true)
    throw new Exit(exitCodes.waits, {
      code: 'needs-yes',
      what: '.ralph/config.yaml already exists, and changing it needs confirmation',
      hint: 'add --yes, which changes only the keys given here and keeps the rest',
    });
  // A file that exists changes only where an option says so.
  const all = exists ? answers : withOffered(setupForm(offers), { install: '', ...answers });
  const lines = setupLines(offers, all);
  const sentence = writeSetup(cli, world, workspace, offers, all);
  if (options.json) cli.printJson({ id: '.ralph/config.yaml', file: '.ralph/config.yaml', written: true });
  else for (const line of [...lines, sentence]) cli.print(safe(line));
  const { install } = withOffered(setupForm(offers), answers);
  if (!exists && answers.install === undefined && install !== undefined)
    cli.note(
      `No command prepares new worktrees: \`${printedCommand('ralph-tui', 'init', '--setup', install, '--yes')}\` adds one.`,
    );
  return exitCodes.done;
};
