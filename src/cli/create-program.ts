import { Command, type CommanderError } from 'commander';
import { safe } from '../base/safe.ts';
import { type Cli, type Exit, usage } from './cli.ts';
import { commands } from './commands/index.ts';
import { visibleIn } from './options.ts';
import { refuseRepeated } from './refuse-repeated.ts';
import { version } from './version.ts';

/**
 * The command line: the subcommands in the order users see them, each with the name and summary of its row. Those that these words name have their own
 * arguments and options as well; by default all have. The others are there where the words may show them.
 */
export const createProgram = async (cli: Cli, argv: readonly string[] = ['completion']): Promise<Command> => {
  const program = new Command('ralph-tui')
    .description('Mission control for coding agents: watch a session and steer it with single keys.')
    .version(version, '-V, --version', 'print the version')
    .option('--ascii', 'draw the screen in plain ASCII')
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => cli.stdout.write(text),
      // `report` prints the error once, in our own form.
      outputError: () => {},
    });
  const needed = neededBy(argv);
  const isListed = listsAll(argv);
  for (const [name, { summary, load }] of Object.entries(commands)) {
    if (needed.has(name)) (await load())(program, cli);
    else if (!isListed) continue;
    else program.command(name, { hidden: summary === null });
    const made = program.commands.find((command) => command.name() === name);
    if (made === undefined || summary === null) continue;
    made.summary(summary);
    // Its own help says more where there is more to say.
    if (made.description() === '') made.description(sentence(summary));
  }
  for (const parent of program.commands) parent.hook('preSubcommand', refuseMisspelt);
  refuseRepeated(program);
  program.addHelpText(
    'after',
    '\nExit codes: 0 done, 1 failed tasks or error, 2 usage, 3 waiting for a person, 4 paused, 130 aborted.',
  );
  return program;
};

const sentence = (words: string): string =>
  `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${/[.…]$/.test(words) ? '' : '.'}`;

/** The commands whose files these words need: the one they name, the one that `help` explains, and all for `completion`. Words that name none are for `open`. */
const neededBy = (argv: readonly string[]): ReadonlySet<string> => {
  const [named = '', about = ''] = argv.filter((word) => !word.startsWith('-'));
  if (named === 'completion') return new Set(Object.keys(commands));
  return new Set(['open', named, ...(named === 'help' ? [about] : [])]);
};

/** Whether these words may show every command: they name none, or one that is about them. Else the others only cost time. */
const listsAll = (argv: readonly string[]): boolean => {
  const [named] = argv.filter((word) => !word.startsWith('-'));
  if (named === undefined) return !argv.includes('--version') && !argv.includes('-V');
  return !Object.hasOwn(commands, named) || aboutAll.has(named);
};
const aboutAll: ReadonlySet<string> = new Set(['help', 'completion']);

/** Refuses a word that names no command before the default one counts it as an argument too many. */
const refuseMisspelt = async (parent: Command, chosen: Command): Promise<void> => {
  const [word] = parent.args;
  const names = visibleIn(parent).map((command) => command.name());
  const takesWords = chosen.registeredArguments.length > 0;
  if (word === undefined || word.startsWith('-') || takesWords || names.includes(word)) return;
  const { nearestKey } = await import('../tasks/nearest-key.ts');
  const near = nearestKey(word, names);
  const start = `ralph-tui ${parent.name()}`;
  throw usage(
    `unknown command "${safe(word)}"`,
    near === null ? `see \`${start} --help\`` : `did you mean \`${start} ${near}\`?`,
  );
};

/** Commander's complaint with the help of the command that the words name. */
export const wrongWords = ({ message }: CommanderError, program: Command, argv: readonly string[]): Exit => {
  let named = program;
  const names = [program.name()];
  for (const word of argv) {
    const next = named.commands.find((command) => command.name() === word);
    if (next === undefined) break;
    named = next;
    names.push(word);
  }
  const what = message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ');
  return usage(what, `see \`${names.join(' ')} --help\``);
};
