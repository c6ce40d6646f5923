import { join } from 'node:path';
import { safe } from '../../base/safe.ts';
import type { Handling, Mailbox, MailboxEntry, Peeked } from '../../signals/mailbox.ts';
import { type Agent, agentSchema, type Letter } from '../../signals/signal.ts';
import { type Cli, exitCodes, failure, type Subcommand, usage } from '../cli.ts';
import type { OpenSession } from '../open-session.ts';
import { type SessionOptions, withSession } from '../options.ts';

interface PollOptions extends SessionOptions {
  readonly as: string;
  readonly task?: string;
  readonly take?: boolean;
  readonly action?: string;
}

/** `ralph-tui signals`: every signal and what became of it. */
export const signals: Subcommand = (program, cli) => {
  const parent = program.command('signals').summary('list, poll or withdraw signals');
  withSession(
    parent.command('list', { isDefault: true }).summary('every signal and what became of it'),
  ).action(cli.does((options: SessionOptions) => list(cli, options)));
  withSession(
    parent
      .command('poll')
      .summary('what a consumer would take now')
      .requiredOption('--as <agent>', agentSchema.options.join(', '))
      .option('--task <id>', 'the task this agent works on')
      .option('--take', 'claim, print and archive them in one go')
      .option('--action <text>', 'with --take: what was done, for the archive'),
  ).action(cli.does((options: PollOptions) => poll(cli, options)));
  withSession(
    parent
      .command('withdraw')
      .summary('take back a signal that is still pending')
      .argument('<id>', 'id or file name'),
  ).action(cli.does((id: string, options: SessionOptions) => withdraw(cli, id, options)));
};

const list = async (cli: Cli, options: SessionOptions): Promise<number> => {
  const { openSession } = await import('../open-session.ts');
  const { lookIntoMailbox } = await import('../publish.ts');
  const { readNext } = await import('../poll.ts');
  const { formatTable } = await import('../table.ts');
  const session = openSession(cli, options.session);
  const entries = lookIntoMailbox(session.world, session.paths).list();
  const rows = entries.map((entry) => ({
    ...entryJson(entry),
    waits_for: readNext(session, entry),
  }));
  await noteScratch(cli, session);
  if (options.json) cli.printJson(rows);
  else if (rows.length === 0) cli.print('no signals');
  else
    cli.print(
      formatTable(
        rows.map((row) => [
          row.stage,
          row.type ?? '?',
          row.task ? safe(row.task) : (row.target ?? ''),
          safe(row.file),
          safe(row.error ?? row.action_taken ?? waiting(row)),
        ]),
      ),
    );
  return exitCodes.done;
};

/** A signal whose name is not one lies among the others and is left alone, without a word anywhere else. */
const noteScratch = async (cli: Cli, { world, paths }: OpenSession): Promise<void> => {
  const { namesIn } = await import('../../base/names-in.ts');
  const { classifyName } = await import('../../signals/names.ts');
  const names = namesIn(world.disk, join(paths.signals, 'inputs')).filter(
    (name) => classifyName(name) === 'scratch' && mayBeMeant.test(name),
  );
  if (names.length === 0) return;
  const shown = [...names.slice(0, mostScratch).map(safe), ...(names.length > mostScratch ? ['…'] : [])];
  cli.note(
    `ralph-tui: ${names.length === 1 ? 'a file is' : `${names.length} files are`} not read, because a signal is called *.yaml or *.yml, without a dot in front: ${shown.join(', ')}`,
  );
};

const mostScratch = 10;

/** Hidden files are those of editors and of git, but for one that ends like a signal. */
const mayBeMeant = /^[^.]|\.ya?ml$/i;

const waiting = (row: { readonly waits_for: string | null; readonly message: string | null }): string =>
  [row.waits_for, row.message].filter((text) => text !== null).join(': ');

const entryJson = (entry: MailboxEntry) => ({
  id: entry.id,
  file: entry.file,
  type: entry.signal?.type ?? null,
  target: entry.signal?.target ?? null,
  task: entry.signal?.task ?? null,
  from: entry.signal?.from ?? null,
  message: entry.signal?.message ?? null,
  stage: entry.stage,
  created_at: entry.created_at,
  handled_by: entry.handling?.handled_by ?? null,
  handled_at: entry.handling?.handled_at ?? null,
  action_taken: entry.handling?.action_taken ?? null,
  checkpoint: entry.handling?.checkpoint ?? null,
  acks: entry.acks,
  error: entry.error,
});

const parseAgent = (text: string): Agent => {
  const bare = text.toLowerCase().replace(/^ralph-(v2-)?/, '');
  const found = agentSchema.options.find((name) => name.toLowerCase() === bare);
  if (!found) throw usage(`unknown agent "${text}"`, `allowed are ${agentSchema.options.join(', ')}`);
  return found;
};

/** Rule 14: lists what a consumer could take; with `--take` claims, prints and archives in this one process. */
const poll = async (cli: Cli, options: PollOptions): Promise<number> => {
  const { openWritableSession } = await import('../open-session.ts');
  const { openMailbox } = await import('../publish.ts');
  const { formatTimestamp } = await import('../../base/clock.ts');
  const { signalsFor } = await import('../poll.ts');
  const agent = parseAgent(options.as);
  const session = openWritableSession(cli, options.session);
  const mailbox = openMailbox(session);
  const { letters, problem } = await settled(session, mailbox);
  if (problem) throw failure(problem);
  const wanted = signalsFor(session, letters, agent, options.task ?? null);
  const handling = {
    handled_by: `Ralph-v2-${agent}`,
    handled_at: formatTimestamp(session.world.clock),
    action_taken: options.action ?? 'taken with `signals poll --take`',
    checkpoint: 'signals poll',
    invocation: null,
    acks: [],
  };
  const shown: Letter[] = [];
  try {
    for (const { letter, whole } of wanted)
      if (!options.take || (whole && isTaken(mailbox, letter, handling))) shown.push(letter);
  } finally {
    // Nobody reads again what was taken before one failed.
    show(cli, shown, options);
  }
  return exitCodes.done;
};

/** Who looks only once has not seen whether a signal without its end mark still grows: it is looked at again when it would be whole. */
const settled = async ({ world }: OpenSession, mailbox: Mailbox): Promise<Peeked> => {
  const { peekAll } = await import('../../signals/peek-all.ts');
  const peeked = peekAll(mailbox);
  if (peeked.settlesInMs === 0) return peeked;
  // A timer may be early by a millisecond.
  await new Promise<void>((resolve) => void world.clock.after(Math.ceil(peeked.settlesInMs) + 2, resolve));
  return peekAll(mailbox);
};

/** False when somebody else was faster. One that cannot be archived is pending again: it was not shown to anybody. */
const isTaken = (mailbox: Mailbox, letter: Letter, handling: Handling): boolean => {
  const claim = mailbox.claim(letter);
  if (typeof claim === 'string') return false;
  const fault = mailbox.archive(claim, handling);
  if (!fault) return true;
  mailbox.putBack(claim);
  throw failure(fault);
};

const show = (cli: Cli, letters: readonly Letter[], { json }: SessionOptions): void => {
  if (json) cli.printJson(letters.map(({ id, file, signal }) => ({ id, file, ...signal })));
  else
    for (const { file, signal } of letters)
      cli.print(`${signal.type}  ${safe(file)}${signal.message ? `  ${safe(signal.message)}` : ''}`);
};

/** What lies in the mailbox and is no signal is listed, and cannot be taken back as one. */
const unknownSignal = (mailbox: Mailbox, id: string): Error => {
  const found = mailbox.list().find((entry) => entry.stage === 'pending' && entry.file === id);
  return found?.error
    ? usage(`"${safe(id)}" is no signal: ${safe(found.error)}`, 'mend the file, or delete it')
    : usage(`no pending signal "${safe(id)}"`, '`ralph-tui signals` lists them');
};

const withdraw = async (cli: Cli, id: string, options: SessionOptions): Promise<number> => {
  const { openWritableSession } = await import('../open-session.ts');
  const { openMailbox, sender, tooLate } = await import('../publish.ts');
  const mailbox = openMailbox(openWritableSession(cli, options.session));
  const result = mailbox.withdraw(id, sender());
  switch (result.kind) {
    case 'withdrawn':
      if (options.json) cli.printJson({ id: result.id, file: result.file, written: true });
      else cli.print(`withdrawn: ${result.file}`);
      return exitCodes.done;
    case 'too-late':
      throw failure({
        code: 'too-late',
        what: `too late: ${tooLate(mailbox, id, result)}`,
        where: id,
        mend: '`ralph-tui signals` shows what became of it',
      });
    case 'ambiguous':
      throw usage(
        `"${safe(id)}" is the beginning of ${result.files.length} ids: ${result.files.map(safe).join(', ')}`,
        'give more of the id, or the file name',
      );
    case 'unknown':
      throw unknownSignal(mailbox, id);
  }
};
