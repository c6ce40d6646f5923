import { z } from 'zod';
import { createScriptBackend } from '../../agents/backends/script/create-script-backend.ts';
import { commandResultSchema } from '../../agents/command-result.ts';
import { commandRows } from '../../agents/command-text.ts';
import type { Brief, TurnResult } from '../../agents/port.ts';
import { FaultError, toFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { commitHooks } from '../../engine/guards/commit-hooks.ts';
import { readHooks } from '../../engine/guards/hooks.ts';
import { tryPush } from '../../issues/pull-requests/open-request.ts';
import type { Settings } from '../../session/settings.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import { type Cli, Exit, exitCodes } from '../cli.ts';
import { type PlanStart, preparePlan, readPlan } from '../host/prepare-plan.ts';
import { endSignals, onProcessSignals } from '../process-signals.ts';
import { bad, type Finding, good } from '../report/finding.ts';
import { agreeTo, type Consent } from '../trust/ask-trust.ts';
import { ranByGit } from '../trust/ran-by-git.ts';
import { wireChanges } from '../wire-changes.ts';
import type { World } from '../world.ts';
import { pushFinding, repositoryFindings, verifyFinding } from './rehearsal-findings.ts';
import { inTrialPlace, type TrialPlace } from './trial-place.ts';

/** What is rehearsed of a plan. */
interface Rehearsed {
  readonly workspace: string;
  readonly settings: Settings;
  readonly tasks: readonly TaskDefinition[];
  /** The plan as it was written, where git looks for its own state in it; `null` where a session has it. */
  readonly text: string | null;
}

/** Rehearses a plan once the person agreed to its commands. `null`: they did not. */
export const rehearse = async (
  cli: Cli,
  world: World,
  start: PlanStart,
  how: Consent,
): Promise<readonly Finding[] | null> => {
  const request = preparePlan(cli, world, start);
  if (!(await agreeTo(cli, world, request, how))) return null;
  const { settings, plan } = readPlan(cli, world, start);
  const left = new AbortController();
  const release = onProcessSignals(endSignals, () => left.abort());
  try {
    const { workspace, text } = start;
    return await rehearsePlan(cli, world, { workspace, settings, tasks: plan.tasks, text }, left.signal);
  } finally {
    release();
  }
};

/** The commands that a rehearsal runs: headings, and below each its commands, indented. */
export const rehearsalCommands = (
  { worktree }: Settings,
  tasks: readonly TaskDefinition[],
): readonly string[] => {
  const part = (heading: string, commands: readonly string[]): readonly string[] =>
    commands.length === 0 ? [] : [heading, ...commands.map((command) => `  ${command}`)];
  return [
    ...part('worktree.setup', worktree.setup),
    ...tasks.flatMap(({ id, verify }) => part(`verify of ${id}`, verify.flatMap(commandRows))),
    ...part('worktree.teardown', worktree.teardown),
    'push, which changes nothing',
    '  git push --dry-run',
  ];
};

/**
 * Does all of a plan that can fail late, without a model and without its work: `worktree.setup` and each `verify` in a worktree that is thrown away, a push that
 * changes nothing, and what is known of the repository. The person has agreed to the commands. `left` stops it.
 */
export const rehearsePlan = async (
  cli: Pick<Cli, 'env' | 'note'>,
  world: World,
  { workspace, settings, tasks, text }: Rehearsed,
  left: AbortSignal,
): Promise<readonly Finding[]> => {
  const changes = wireChanges(cli.env, world);
  const examined = await changes.examine(workspace, text);
  const hooks = commitHooks(readHooks(world.disk, workspace, ranByGit(cli.env, world, workspace)));
  const known = repositoryFindings(examined, hooks);
  if (!examined.worktrees.ok)
    return [
      ...known,
      good('commands', 'not rehearsed: they would run in your own files', safe(examined.worktrees.reason)),
    ];
  const { at_end: atEnd } = settings.changes;
  const base = examined.repository?.branch ?? null;
  const copied: Finding[] = [];
  const scratch = {
    scratch: async (folder: string) => {
      const made = await changes.scratch(folder, settings.worktree.copy);
      if (made.ok)
        copied.push(
          ...made.value.problems.map((problem) =>
            bad('copy', safe(problem), 'a task may miss it', 'correct `worktree.copy`'),
          ),
        );
      return made;
    },
  };
  const ran = await inTrialPlace(cli, scratch, workspace, (place) =>
    runCommands(cli.env, world, settings, place, tasks, left),
  );
  return [...known, ...copied, ...ran, await pushed(cli, world, workspace, base, atEnd === 'pull-request')];
};

/** No session has so many worktrees at once: they count from 0. */
const slot = 99;

const runCommands = async (
  env: Cli['env'],
  world: World,
  settings: Settings,
  place: TrialPlace,
  tasks: readonly TaskDefinition[],
  left: AbortSignal,
): Promise<readonly Finding[]> => {
  const backend = createScriptBackend({ ...world, env });
  const turn = async (kind: string, more: Partial<Brief>, data: unknown): Promise<TurnResult> => {
    const worker = backend.start(
      { ...briefIn(place, settings), ...more },
      { emit: () => {}, output: () => {} },
    );
    const stop = (): void => void worker.stop('abort');
    left.addEventListener('abort', stop);
    if (left.aborted) stop();
    try {
      return await worker.turn({ kind, prompt: '', messages: [], data }, async () => ({
        kind: 'go',
        messages: [],
      }));
    } finally {
      left.removeEventListener('abort', stop);
    }
  };
  const inTree = async (which: 'setup' | 'teardown'): Promise<readonly Finding[]> => {
    const commands = settings.worktree[which];
    if (commands.length === 0) return [];
    const ended = await turn('setup', {}, { commands });
    if (ended.kind === 'answered' && ended.answer === null)
      return [good(`worktree.${which}`, 'works in a new worktree')];
    const why = ended.kind === 'answered' ? String(ended.answer) : 'it was stopped';
    return [
      bad(
        `worktree.${which}`,
        safe(why),
        'no task could begin',
        'correct these commands in the configuration',
      ),
    ];
  };
  const findings = [...(await inTree('setup'))];
  // Without its set-up nothing that a check says would mean anything.
  const checked = findings.every(({ ok }) => ok) ? tasks.filter(({ verify }) => verify.length > 0) : [];
  for (const task of checked) {
    const ended = await turn('verify', { task, attempt: 1 }, undefined);
    const answer = ended.kind === 'answered' ? verified.safeParse(ended.answer).data : undefined;
    if (answer !== undefined) findings.push(verifyFinding(task.id, answer.verification));
    else if (ended.kind === 'failed')
      findings.push(bad(`verify ${safe(task.id)}`, safe(ended.fault.what), 'it cannot run', 'correct it'));
  }
  findings.push(...(await inTree('teardown')));
  if (left.aborted) throw new Exit(exitCodes.aborted, { code: 'left', what: 'the rehearsal was stopped' });
  return findings;
};

const verified = z.object({ verification: z.array(commandResultSchema) });

const briefIn = ({ workspace, sessionDirectory }: TrialPlace, settings: Settings): Brief => ({
  invocation: 'Reviewer-1',
  role: 'Reviewer',
  mode: 'TASK_REVIEW',
  session: 'rehearsal',
  iteration: 1,
  cycle: 1,
  goal: 'rehearsal',
  workspace,
  sessionDirectory,
  slot,
  tasks: [],
  messages: [],
  settings,
});

const pushed = async (
  cli: Pick<Cli, 'env'>,
  world: World,
  workspace: string,
  base: string | null,
  isNeeded: boolean,
): Promise<Finding> => {
  const ports = { ...world, env: cli.env, workspace, wrote: () => {} };
  try {
    return pushFinding({ remote: await tryPush(ports, base) }, isNeeded);
  } catch (error) {
    return pushFinding({ fault: error instanceof FaultError ? error.fault : toFault(error) }, isNeeded);
  }
};
