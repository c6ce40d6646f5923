import { Option } from 'commander';
import { type FlowPhases, flowPhases } from '../../issues/position/flow-phases.ts';
import { type LoopPreset, loopPresetSchema } from '../../session/settings/loop-presets.ts';
import { type Cli, exitCodes, type Subcommand, usage } from '../cli.ts';
import type { PlanStart } from '../host/prepare-plan.ts';
import { refuseAtEnd } from '../issues/refuse-at-end.ts';
import { type Flags, flagsOf, withFlags } from '../options.ts';

interface Options extends Flags {
  readonly plan?: string;
  readonly mode?: 'waves' | 'loop' | 'hero' | 'team';
  readonly issue?: string;
  readonly only?: boolean;
  readonly tracker?: string;
  readonly phases?: FlowPhases;
  readonly focus?: string;
  readonly preset?: LoopPreset;
  readonly headless?: boolean;
  readonly screenReader?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly background?: boolean;
  readonly rehearse?: boolean;
  readonly discovery: boolean;
  readonly despiteCritical?: boolean;
}

const discoveringOf = ({ discovery, despiteCritical = false }: Options) => ({ discovery, despiteCritical });

/** `ralph-tui run [GOAL]`: starts a session from a goal, a plan or the repository's own checks, or a loop. */
export const run: Subcommand = (program, cli) => {
  withFlags(
    program
      .command('run')
      .description(
        'Start a session from a plan file or, without one, from the checks this repository offers. Shows what would run and asks you to approve it; your answer holds for exactly these files.',
      )
      .argument('[goal]', 'the goal; needs --agent')
      .option('--plan <file>', 'a plan in YAML or JSON')
      .addOption(
        new Option('--mode <mode>', 'how to run the session').choices(['waves', 'loop', 'hero', 'team']),
      )
      .option('--issue <id>', 'take this issue and its group through research, plan, review, work and merge')
      .option('--only', 'with --issue: this issue alone, without its group')
      .option('--tracker <name>', 'with --issue: use this tracker instead of flow.tracker')
      .addOption(
        new Option('--phases <which>', 'with --issue: instead of flow.phases').choices([...flowPhases]),
      )
      .option('--watch', 'with --issue and no screen: wait until pull requests are merged or closed')
      .option('--focus <file>', 'the file that a loop works on')
      .addOption(new Option('--preset <name>', 'how long a loop may run').choices(loopPresetSchema.options)),
  )
    .option('--headless', 'the plain log, even on a terminal')
    .option('--screen-reader', 'plain lines for a screen reader, and typed commands instead of keys')
    .option('--json', 'one event per line')
    .option('--yes', 'trust what would run, without asking')
    .option('--rehearse', 'only try what can fail late: setup, verify, push; no model call, nothing is kept')
    .option('--no-discovery', 'skip the scan that runs before model agents start')
    .option('--despite-critical', 'start even with critical findings')
    .option('--background', 'leave the engine running in the background')
    .action(
      cli.does(async (goal: string | undefined, options: Options) => {
        const { keepMemorySmall } = await import('../host/keep-memory-small.ts');
        keepMemorySmall();
        const { createWorld } = await import('../world.ts');
        if (options.agent !== undefined) {
          const { refuseUnknown } = await import('../host/refuse-unknown.ts');
          refuseUnknown(cli, createWorld(), options.agent);
        }
        refuseMixed(options);
        if (goal !== undefined && options.plan !== undefined)
          throw usage(
            'a goal and a plan cannot be combined',
            'the plan names its own goal: leave one of them out',
          );
        const { outputMode } = await import('../output-mode.ts');
        const { consentHere } = await import('../launch/consent-here.ts');
        const { startNew } = await import('../launch/start-new.ts');
        const world = createWorld();
        const mode = outputMode(cli, options);
        if (options.rehearse === true) return runRehearsal(cli, options);
        if (options.issue !== undefined || isForIssues(options.mode)) return runIssue(cli, goal, options);
        if (options.mode === 'loop') return runLoop(cli, goal, options);
        const start = {
          workspace: cli.cwd,
          ...(goal === undefined ? await choosePlan(cli, options) : { goal }),
          mode,
          background: options.background === true,
          flags: flagsOf(options),
        };
        return startNew(cli, world, start, consentHere(cli, mode, options), discoveringOf(options));
      }),
    );
};

/** A fresh agent for each task, or a team of workers. */
const isForIssues = (mode: Options['mode']): mode is 'hero' | 'team' => mode === 'hero' || mode === 'team';

/** Refuses options of another mode, which would be ignored. */
const refuseMixed = (options: Options): void => {
  const { mode, plan, focus, preset, issue, only, tracker, watch, phases } = options;
  const lonely = [
    ...(only === true ? ['--only'] : []),
    ...(tracker === undefined ? [] : ['--tracker']),
    ...(phases === undefined ? [] : ['--phases']),
    ...(watch === true ? ['--watch'] : []),
  ][0];
  if (issue !== undefined || isForIssues(mode)) refuseAtEnd(options);
  if (issue === undefined && !isForIssues(mode) && lonely !== undefined)
    throw usage(
      `${lonely} needs an issue`,
      'add --issue ID; `ralph-tui issues ready` lists the ready issues',
    );
  if (issue !== undefined && mode !== undefined && !isForIssues(mode))
    throw usage(
      `--issue and --mode ${mode} cannot be combined`,
      'leave --mode out, or set it to hero or team',
    );
  if (mode === 'loop' && plan !== undefined)
    throw usage('a loop takes no plan', 'give the file with --focus, or leave --mode out');
  if (options.rehearse === true && (issue !== undefined || (mode !== undefined && mode !== 'waves')))
    throw usage('--rehearse tries a plan or the checks of the repository', 'leave --issue and --mode out');
  if (mode !== 'loop' && (focus !== undefined || preset !== undefined))
    throw usage(`--${focus === undefined ? 'preset' : 'focus'} applies only to a loop`, 'add --mode loop');
};

/** A goal has no plan yet: then the checks of the repository are tried. */
const runRehearsal = async (cli: Cli, options: Options): Promise<number> => {
  const { createWorld } = await import('../world.ts');
  const { rehearse } = await import('../setup/rehearse.ts');
  const { printFindings } = await import('../report/print-findings.ts');
  const { consentOf } = await import('../trust/ask-trust.ts');
  const start = { workspace: cli.cwd, ...(await choosePlan(cli, options)), flags: flagsOf(options) };
  const mode = options.json === true ? 'json' : 'plain';
  const consent = consentOf(cli, mode, { yes: options.yes === true });
  const findings = await rehearse(cli, createWorld(), { ...start, mode }, consent);
  if (findings !== null) return printFindings(cli, findings, options);
  cli.print('Nothing was rehearsed.');
  return exitCodes.done;
};

const runIssue = async (cli: Cli, goal: string | undefined, options: Options): Promise<number> => {
  const { createWorld } = await import('../world.ts');
  const { outputMode } = await import('../output-mode.ts');
  const { consentHere } = await import('../launch/consent-here.ts');
  const { issueWorkspace } = await import('../issues/issue-workspace.ts');
  const { refuseBesideIssue, startFlow } = await import('../launch/start-flow.ts');
  const { plan, focus, preset } = options;
  refuseBesideIssue({ plan, focus, preset, goal });
  const mode = outputMode(cli, options);
  const world = createWorld();
  const consent = consentHere(cli, mode, options);
  const { chooseIssue } = await import('../launch/choose-issue.ts');
  const issue =
    options.issue ?? (await chooseIssue(cli, world, options, consent.mayAsk && mode === 'screen'));
  if (issue === null) {
    cli.print('Nothing was started.');
    return exitCodes.done;
  }
  const start = {
    workspace: issueWorkspace(cli.cwd),
    issue,
    only: options.only === true,
    background: options.background === true,
    source: 'goal',
    mode,
    ...(isForIssues(options.mode) ? { team: options.mode === 'team' } : {}),
    flags: flagsOf(options),
    ...(options.tracker === undefined ? {} : { tracker: options.tracker }),
    ...(options.phases === undefined ? {} : { phases: options.phases }),
  } as const;
  return startFlow(cli, world, start, consent, discoveringOf(options));
};

const runLoop = async (cli: Cli, goal: string | undefined, options: Options): Promise<number> => {
  const { createWorld } = await import('../world.ts');
  const { outputMode } = await import('../output-mode.ts');
  const { consentHere } = await import('../launch/consent-here.ts');
  const { startLoop } = await import('../launch/start-loop.ts');
  const mode = outputMode(cli, options);
  const start = {
    workspace: cli.cwd,
    source: 'goal',
    mode,
    background: options.background === true,
    flags: flagsOf(options),
    ...(goal === undefined ? {} : { goal }),
    ...(options.focus === undefined ? {} : { focus: options.focus }),
    ...(options.preset === undefined ? {} : { preset: options.preset }),
  } as const;
  const world = createWorld();
  const { askLoop } = await import('../launch/ask-loop.ts');
  const isAsked = mode === 'screen' && options.preset === undefined && options.yes !== true;
  const look = discoveringOf(options);
  const asked = isAsked ? await askLoop(cli, world, start, look) : { start };
  if (asked !== null) {
    const { start: chosen, ...known } = asked;
    return startLoop(cli, world, chosen, consentHere(cli, mode, options), { ...look, ...known });
  }
  cli.print('Nothing was started.');
  return exitCodes.done;
};

const choosePlan = async (
  cli: Cli,
  options: Options,
): Promise<Pick<PlanStart, 'file' | 'text' | 'source' | 'subject'>> => {
  if (options.plan !== undefined) {
    const { readPlanFile } = await import('../session/plan-source.ts');
    return { file: options.plan, text: readPlanFile(cli, options.plan), source: 'plan' };
  }
  const { createWorld } = await import('../world.ts');
  const { planFilesIn } = await import('../session/find-offers.ts');
  const world = createWorld();
  const [file, ...others] = planFilesIn(world, cli.cwd);
  if (file !== undefined) return offeredPlan(cli, file, others);
  const { discoverChecks } = await import('../trust/discover-checks.ts');
  const { leftOut, ...checks } = discoverChecks(world.disk, cli.cwd, cli.env['PATH']);
  for (const sentence of leftOut) cli.note(`ralph-tui: ${sentence}`);
  return checks;
};

/** Finds the plan to offer. A plan that a person wrote comes before discovered checks; of several one must be named. */
const offeredPlan = async (
  cli: Cli,
  file: string,
  others: readonly string[],
): Promise<Pick<PlanStart, 'file' | 'text' | 'source'>> => {
  if (others.length > 0)
    throw usage(
      `there are several plans here: ${[file, ...others].join(', ')}`,
      `name one: \`ralph-tui run --plan ${file}\``,
      'several-plans',
    );
  const { readPlanFile } = await import('../session/plan-source.ts');
  cli.note(`ralph-tui: running the plan in this directory, ${file}`);
  return { file, text: readPlanFile(cli, file), source: 'plan' };
};
