import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { toFault } from '../../base/fault.ts';
import type { Discovery } from '../../discovery/discover-constraints.ts';
import { type Finding, severities, severitySchema } from '../../discovery/records/finding.ts';
import { parseDuration } from '../../tasks/duration.ts';
import { type Cli, exitCodes, failure, type Subcommand, usage } from '../cli.ts';
import { withJson } from '../options.ts';
import { endSignals, onProcessSignals } from '../process-signals.ts';
import type { Consent } from '../trust/ask-trust.ts';
import type { World } from '../world.ts';

interface Options {
  readonly project?: string;
  readonly severity: string;
  readonly failOn: string;
  readonly allRoles?: boolean;
  readonly add?: readonly string[];
  readonly timeout?: string;
  readonly probes: boolean;
  readonly offline?: boolean;
  readonly explore?: boolean;
  readonly agent?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly ndjson?: boolean;
  readonly output?: string;
}

/** `ralph-tui scan`: reports what could go wrong for agents in this workspace. */
export const scan: Subcommand = (program, cli) => {
  scanOptions(withJson(program.command('scan'))).action(cli.does((options: Options) => run(cli, options)));
};

const scanOptions = (command: Command): Command =>
  command
    .option('--project <dir>', 'which directory (default: the workspace)')
    .addOption(
      new Option('--severity <level>', 'list findings at least this severe')
        .choices(severities)
        .default('low'),
    )
    .addOption(
      new Option('--fail-on <level>', 'exit with 3 if a finding is at least this severe')
        .choices(severities)
        .default('critical'),
    )
    .option('--all-roles', 'include findings that are only in docs, fixtures and generated files')
    .option('--no-probes', 'run only the scanner, without checking the environment')
    .option('--offline', 'no network, no logins')
    .option('--yes', 'use logins and the network without asking')
    .option('--add <file...>', 'findings from another program, as JSON or NDJSON; - reads stdin')
    .option('--explore', 'also have an agent explore (five prompts; uses model calls)')
    .option('--agent <name>', 'which agent explores (default: the Questioner, else the first one installed)')
    .option('--timeout <duration>', 'time limit for all sources together (default: 15s)')
    .addOption(new Option('--ndjson', 'print the lines of the record file').conflicts('json'))
    .option('--output <file>', 'the file to write the records to (default: .ralph/constraint-scan.jsonl)');

const run = async (cli: Cli, options: Options): Promise<number> => {
  const { createWorld } = await import('../world.ts');
  const { findWorkspace } = await import('../session/find-workspace.ts');
  const { runScan } = await import('../discovery/run-scan.ts');
  const { scanFileIn, shownPath, writeScan } = await import('../discovery/write-scan.ts');
  const { atLeast } = await import('../../discovery/format-scan.ts');
  const world = createWorld();
  const project = options.project === undefined ? findWorkspace(cli.cwd) : resolve(cli.cwd, options.project);
  const { explorer } = await import('../discovery/explorer-agent.ts');
  const timeoutMs = options.timeout === undefined ? null : durationOf(options.timeout);
  const explore = options.explore
    ? await explorer(cli, world, project, {
        agent: options.agent,
        timeoutMs,
        consent: consentIn(cli, options),
      })
    : null;
  const leave = new AbortController();
  const release = onProcessSignals(endSignals, () => leave.abort());
  const discovery = await runScan(cli, world, {
    project,
    signal: leave.signal,
    ...(explore ? { explore } : {}),
    allRoles: options.allRoles === true,
    added: (options.add ?? []).map((file) => readAdded(cli, file)),
    timeoutMs,
    probes: options.probes,
    offline: !(await usesLogins(cli, world, project, options)),
  }).finally(release);
  if (leave.signal.aborted) return exitCodes.aborted;
  const { scan: found } = discovery;
  const file =
    options.output === undefined ? scanFileIn(found.metadata.project_dir) : resolve(cli.cwd, options.output);
  const { readAcknowledged } = await import('../trust/guidance-store.ts');
  const { openFindings } = await import('../../discovery/records/scan-failure.ts');
  const acknowledged = readAcknowledged(cli, world, found.metadata.project_dir);
  if (!acknowledged.trusted)
    cli.note('ralph-tui: .ralph/acknowledged.jsonl came with the repository and is not used');
  const open = openFindings(found.findings, acknowledged.value);
  await print(cli, options, discovery, open);
  try {
    writeScan(world, found, file);
  } catch (error) {
    throw failure(toFault(error, file));
  }
  cli.note(`written: ${shownPath(cli.cwd, file)}`);
  const bad = atLeast(open, severitySchema.parse(options.failOn));
  return bad.length > 0 ? exitCodes.waits : exitCodes.done;
};

const consentIn = (cli: Cli, { json, ndjson, yes }: Options): Consent => ({
  yes: yes === true,
  mayAsk: !json && !ndjson && cli.stdin.isTTY === true && cli.stderr.isTTY === true,
});

/** Whether the probes may use logins and the network: not with `--offline`, and only after a yes for this workspace. */
const usesLogins = async (cli: Cli, world: World, project: string, options: Options): Promise<boolean> => {
  if (options.offline || !options.probes) return false;
  const { askForLogins } = await import('../trust/network-trust.ts');
  const may = await askForLogins(cli, world, project, consentIn(cli, options));
  if (!may) cli.note('ralph-tui: logins and the network were not checked; that needs your consent (--yes)');
  return may;
};

const print = async (
  cli: Cli,
  options: Options,
  { scan: { metadata, findings }, quiet }: Discovery,
  open: readonly Finding[],
): Promise<void> => {
  const { atLeast, formatScan } = await import('../../discovery/format-scan.ts');
  const { scanLines } = await import('../../discovery/records/scan-file.ts');
  const { busywork } = await import('../../discovery/records/busywork.ts');
  const listed = atLeast(
    options.json || options.ndjson ? findings : open,
    severitySchema.parse(options.severity),
  );
  if (options.json) cli.printJson({ metadata, constraints: listed, busywork });
  else if (options.ndjson) for (const line of scanLines({ metadata, findings: listed })) cli.print(line);
  else
    for (const line of formatScan({
      metadata,
      findings: listed,
      quiet,
      acknowledged: findings.length - open.length,
      ascii: cli.ascii,
    }))
      cli.print(line);
};

const readAdded = (cli: Cli, file: string): { readonly name: string; readonly text: string } => {
  try {
    const text = readFileSync(file === '-' ? 0 : resolve(cli.cwd, file), 'utf8');
    return { name: file === '-' ? 'stdin' : 'added', text };
  } catch (error) {
    throw usage(
      `the findings could not be read: ${toFault(error).what}`,
      'pass a file to --add, or - for stdin',
    );
  }
};

const durationOf = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === null || ms === 0)
    throw usage(`--timeout ${text} is not a valid duration`, 'use a value such as 15s, 500ms or 2m');
  return ms;
};
