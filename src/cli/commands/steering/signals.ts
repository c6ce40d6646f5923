import { join } from 'node:path';
import { safe } from '../../../base/safe.ts';
import { archivedAction } from '../../../signals/archived-action.ts';
import type { Handling, Mailbox, MailboxEntry } from '../../../signals/mailbox.ts';
import { agentSchema, type PendingSignal } from '../../../signals/signal.ts';
import { agentNamed } from '../../agent-options.ts';
import { type Cli, exitCodes, failure, type Subcommand, usage } from '../../cli.ts';
import { type SessionOptions, withSession } from '../../options.ts';
import type { OpenSession } from '../../session/open-session.ts';

interface PollOptions extends SessionOptions {
  readonly as: string;
  readonly task?: string;
  readonly take?: boolean;
  readonly action?: string;
}

/** `ralph-tui signals`: lists every signal with its outcome, confirms files of a person, and takes signals back. */
export const signals: Subcommand = (program, cli) => {
  const parent = program.command('signals');
  withSession(
    parent.command('list', { isDefault: true }).summary('every signal and what became of it'),
  ).action(cli.does((options: SessionOptions) => list(cli, options)));
  withSession(
    parent
      .command('poll')
      .summary('the signals that this agent would receive now')
      .requiredOption('--as <agent>', agentSchema.options.join(', '))
      .option('--task <id>', 'the task this agent works on')
      .option('--take', 'claim, print and archive them in one step')
      .option('--action <text>', 'with --take: what was done, for the archive'),
  ).action(cli.does((options: PollOptions) => poll(cli, options)));
  withSession(
    parent
      .command('confirm')
      .summary('confirm that you wrote a file in the mailbox, so that it counts')
      .argument('<id>', 'id or file name'),
  ).action(cli.does((id: string, options: SessionOptions) => confirm(cli, id, options)));
  withSession(
    parent
      .command('withdraw')
      .summary('withdraw a signal that is still pending')
      .argument('<id>', 'id or file name'),
  ).action(cli.does((id: string, options: SessionOptions) => withdraw(cli, id, options)));
};

const list = async (cli: Cli, options: SessionOptions): Promise<number> => {
  const { openSession } = await import('../../session/open-session.ts');
  const { listSignals } = await import('../../session/publish.ts');
  const { readNext } = await import('../../session/poll.ts');
  const { formatTable } = await import('../../report/table.ts');
  const session = openSession(cli, options.session);
  const entries = listSignals(cli.env, session);
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

/** Names files in the mailbox that are not called like a signal. They are ignored, and nothing else reports them. */
const noteScratch = async (cli: Cli, { world, paths }: OpenSession): Promise<void> => {
  const { namesIn } = await import('../../../base/names-in.ts');
  const { classifyName } = await import('../../../signals/mailbox/names.ts');
  const names = namesIn(world.disk, join(paths.signals, 'inputs')).filter(
    (name) => classifyName(name) === 'scratch' && mayBeMeant.test(name),
  );
  if (names.length === 0) return;
  const shown = [...names.slice(0, mostScratch).map(safe), ...(names.length > mostScratch ? ['…'] : [])];
  cli.note(
    `ralph-tui: ${names.length === 1 ? '1 file was' : `${names.length} files were`} not read (the name of a signal file must end in .yaml or .yml and not begin with a dot): ${shown.join(', ')}`,
  );
};

const mostScratch = 10;

/** Hidden files belong to editors and git, except those that end like a signal. */
const mayBeMeant = /^[^.]|\.ya?ml$/i;

const waiting = (row: { readonly waits_for: string | null; readonly message: string | null }): string =>
  [row.waits_for, row.message].filter((text) => text !== null).join(': ');

const entryJson = (entry: MailboxEntry) => ({
  id: entry.id,
  file: entry.file,
  type: entry.signal?.unproven?.type ?? entry.signal?.type ?? null,
  target: entry.signal?.target ?? null,
  task: entry.signal?.task ?? null,
  from: entry.signal?.from ?? null,
  unproven: entry.signal?.unproven !== undefined,
  claims_from: entry.signal?.unproven?.from ?? null,
  message: entry.signal?.message ?? null,
  stage: entry.stage,
  created_at: entry.created_at,
  handled_by: entry.handling?.handled_by ?? null,
  handled_at: entry.handling?.handled_at ?? null,
  action_taken: entry.handling === null ? null : archivedAction(entry.handling),
  outcome: entry.handling?.outcome ?? null,
  checkpoint: entry.handling?.checkpoint ?? null,
  acks: entry.acks,
  error: entry.error,
});

/** Rule 14: lists the signals a consumer could take. `--take` claims, prints and archives them in this one process. */
const poll = async (cli: Cli, options: PollOptions): Promise<number> => {
  const { openWritableSession } = await import('../../session/open-session.ts');
  const { openMailbox } = await import('../../session/publish.ts');
  const { formatTimestamp } = await import('../../../base/clock.ts');
  const { peekRested } = await import('../../../signals/mailbox/peek-all.ts');
  const { signalsFor } = await import('../../session/poll.ts');
  const agent = agentNamed(options.as);
  const session = openWritableSession(cli, options.session);
  const mailbox = openMailbox(cli.env, session);
  const { pendingSignals, problem } = await peekRested(mailbox, session.world.clock);
  if (problem) throw failure(problem);
  const wanted = signalsFor(session, pendingSignals, agent, options.task ?? null);
  const handling: Handling = {
    outcome: 'handled',
    handled_by: `Ralph-v2-${agent}`,
    handled_at: formatTimestamp(session.world.clock),
    action_taken: options.action ?? 'taken with `signals poll --take`',
    checkpoint: 'signals poll',
    invocation: null,
    acks: [],
  };
  const shown: PendingSignal[] = [];
  try {
    for (const { pendingSignal, whole } of wanted)
      if (!options.take || (whole && isTaken(mailbox, pendingSignal, handling))) shown.push(pendingSignal);
  } finally {
    // Shows what was taken before the failure: no consumer reads it again.
    show(cli, shown, options);
  }
  return exitCodes.done;
};

/** False when another consumer was faster. A signal that cannot be archived becomes pending again and is not shown. */
const isTaken = (mailbox: Mailbox, pendingSignal: PendingSignal, handling: Handling): boolean => {
  const claim = mailbox.claim(pendingSignal);
  if (typeof claim === 'string') return false;
  const fault = mailbox.archive(claim, handling);
  if (!fault) return true;
  mailbox.putBack(claim);
  throw failure(fault);
};

const show = (cli: Cli, pendingSignals: readonly PendingSignal[], { json }: SessionOptions): void => {
  if (json) cli.printJson(pendingSignals.map(({ id, file, signal }) => ({ id, file, ...signal })));
  else
    for (const { file, signal } of pendingSignals)
      cli.print(`${signal.type}  ${safe(file)}${signal.message ? `  ${safe(signal.message)}` : ''}`);
};

/** Invalid files in the mailbox are listed, but cannot be withdrawn as a signal. */
const unknownSignal = (mailbox: Mailbox, id: string, session: string): Error => {
  const found = mailbox.list().find((entry) => entry.stage === 'pending' && entry.file === id);
  return found?.error
    ? usage(`"${safe(id)}" is not a valid signal: ${safe(found.error)}`, 'fix the file, or delete it')
    : usage(`no pending signal "${safe(id)}"`, `\`ralph-tui signals --session ${session}\` lists them`);
};

/** Writes the record of a person for a file that has none (src/signals/README.md, rule 13). */
const confirm = async (cli: Cli, id: string, options: SessionOptions): Promise<number> => {
  const { openWritableSession } = await import('../../session/open-session.ts');
  const { confirmAsPerson } = await import('../../session/proof/signal-proof.ts');
  const { listSignals, openMailbox, sender } = await import('../../session/publish.ts');
  const opened = openWritableSession(cli, options.session);
  const pending = listSignals(cli.env, opened).filter(({ stage }) => stage === 'pending');
  const found = pending.filter((entry) => entry.file === id || (id.length >= 6 && entry.id.startsWith(id)));
  const [one, another] = found;
  if (one === undefined || one.signal === null)
    throw unknownSignal(openMailbox(cli.env, opened), id, opened.paths.session);
  if (another !== undefined) throw usage(`"${safe(id)}" matches several signals`, 'type more of the id');
  confirmAsPerson(cli.env, opened.world, opened.paths, { id: one.id, by: sender() });
  if (options.json) cli.printJson({ id: one.id, file: one.file, confirmed: true });
  else cli.print(`confirmed: ${one.signal.unproven?.type ?? one.signal.type}, ${safe(one.file)}`);
  return exitCodes.done;
};

const withdraw = async (cli: Cli, id: string, options: SessionOptions): Promise<number> => {
  const { openWritableSession } = await import('../../session/open-session.ts');
  const { openMailbox, sender, tooLate } = await import('../../session/publish.ts');
  const opened = openWritableSession(cli, options.session);
  const { session } = opened.paths;
  const mailbox = openMailbox(cli.env, opened);
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
        hint: `\`ralph-tui signals --session ${session}\` shows what became of it`,
      });
    case 'ambiguous':
      throw usage(
        `"${safe(id)}" matches ${result.files.length} signals: ${result.files.map(safe).join(', ')}`,
        'type more of the id, or the file name',
      );
    case 'unknown':
      throw unknownSignal(mailbox, id, session);
  }
};
