import { createScriptBackend } from '../../../agents/backends/script/create-script-backend.ts';
import type { Brief } from '../../../agents/port.ts';
import { formatTimestamp } from '../../../base/clock.ts';
import { sha256 } from '../../../base/hash.io.ts';
import { visibleLines } from '../../../base/safe.ts';
import type { Prepared } from '../../../changes/port.ts';
import { planBoxes } from '../../../issues/documents/plan-boxes.ts';
import { ask } from '../../../session/forms/question.ts';
import { bareTask, type TaskDefinition } from '../../../tasks/task.ts';
import { recallTrust, rememberTrust } from '../../trust/trust-memory.ts';
import { answerTo } from '../exchange.ts';
import type { SkillRun } from '../skill-run.ts';

/** The commands of the automated boxes of a plan, each once; of one phase, or of all with `null`. */
export const commandsOf = (plan: string, phase: string | null): readonly string[] => [
  ...new Set(
    planBoxes(plan).flatMap((box) =>
      box.command !== null && (phase === null || box.phase === phase) ? [box.command] : [],
    ),
  ),
];

/** What commands showed: those that passed, and a sentence for each other one with the end of its output. */
interface Checks {
  readonly passed: ReadonlySet<string>;
  readonly failures: readonly string[];
}

/** Runs commands of a plan after the person saw them, once for the same commands. `refused`: the person said no. */
export const runChecks = async (
  run: SkillRun,
  commands: readonly string[],
  directory: string,
  of: { readonly path: string; readonly name: string },
): Promise<Checks | 'refused' | 'left'> => {
  if (commands.length === 0) return { passed: new Set(), failures: [] };
  const agreed = await agreedTo(run, commands, directory, of.path);
  if (agreed !== 'yes') return agreed;
  const passed = new Set<string>();
  const failures: string[] = [];
  for (const command of commands) {
    const failure = await runCheck(run, command, directory, of.name);
    if (run.io.left.aborted) return 'left';
    if (failure === null) passed.add(command);
    else failures.push(failure);
  }
  return { passed, failures };
};

/** The commands of a plan are the plan's, and nothing of a repository runs before it was shown. */
const agreedTo = async (
  run: SkillRun,
  commands: readonly string[],
  directory: string,
  path: string,
): Promise<'yes' | 'refused' | 'left'> => {
  const { cli, world, workspace, journal } = run;
  const trustOf = (command: string) => {
    const digest = sha256(command);
    return { name: `check ${digest.slice(0, 12)} of ${path}`, sha256: digest };
  };
  const fresh = commands.filter((command) => {
    const trust = trustOf(command);
    return recallTrust(cli.env, world, workspace, trust.name)?.sha256 !== trust.sha256;
  });
  if (fresh.length === 0) return 'yes';
  const question = ask(
    `run-${journal.talk().turns.length}`,
    'choice',
    fresh.length === 1 ? 'May ralph-tui run this check?' : `May ralph-tui run these ${fresh.length} checks?`,
    {
      help: [...fresh.flatMap((command) => visibleLines(command)), `in ${directory}`].join('\n'),
      options: [
        { id: 'run', label: 'yes', detail: 'you will not be asked about these commands again' },
        { id: 'no', label: 'no', detail: '' },
      ],
    },
  );
  const answer = await answerTo(run, question);
  if (answer === null) return 'left';
  if (answer !== 'run') return 'refused';
  const at = formatTimestamp(world.clock);
  for (const command of fresh) rememberTrust(cli.env, world, { workspace, ...trustOf(command), at });
  return 'yes';
};

/** Runs one command in the place of the work. Returns why it failed, with the end of its output, or `null`. */
const runCheck = async (
  run: SkillRun,
  command: string,
  directory: string,
  name: string,
): Promise<string | null> => {
  const { journal, io, world, cli } = run;
  const id = `check-${world.random.hex(6)}`;
  const show = (status: string): void => {
    journal.add({ type: 'tool', id, title: command, status });
    io.show(journal.talk());
  };
  show('running');
  const brief = briefOf(run, directory, taskOf(name, [{ cmd: command }]));
  const worker = createScriptBackend({ ...world, env: cli.env }).start(brief, {
    emit: () => {},
    output: () => {},
  });
  const leave = (): void => void worker.stop('abort');
  io.left.addEventListener('abort', leave);
  try {
    const ended = await worker.turn({ kind: 'verify-attempt', prompt: '', messages: [] }, async () => ({
      kind: 'go',
      messages: [],
    }));
    show(ended.kind === 'answered' ? 'done' : 'failed');
    if (ended.kind === 'answered') return null;
    if (ended.kind === 'failed') return ended.fault.what;
    return ended.kind === 'no-result' ? world.redact(ended.raw) : `\`${command}\` was stopped`;
  } finally {
    io.left.removeEventListener('abort', leave);
  }
};

/** Runs the commands of `worktree.setup` or `worktree.teardown` in a worktree. Returns the first failure, or `null`. */
export const runInWorktree = async (
  run: SkillRun,
  which: 'setup' | 'teardown',
  { directory, slot }: Pick<Prepared, 'directory' | 'slot'>,
): Promise<string | null> => {
  const { world, cli, settings } = run;
  const commands = settings.worktree[which];
  if (commands.length === 0) return null;
  const brief = { ...briefOf(run, directory), ...(slot === null ? {} : { slot }) };
  const worker = createScriptBackend({ ...world, env: cli.env }).start(brief, {
    emit: () => {},
    output: () => {},
  });
  const ended = await worker.turn(
    { kind: 'setup', prompt: '', messages: [], data: { commands } },
    async () => ({ kind: 'go', messages: [] }),
  );
  if (ended.kind === 'answered') return ended.answer === null ? null : String(ended.answer);
  return ended.kind === 'failed' ? ended.fault.what : 'it was stopped';
};

const briefOf = ({ journal, settings }: SkillRun, workspace: string, task?: TaskDefinition): Brief => ({
  invocation: 'Reviewer-1',
  role: 'Reviewer',
  mode: 'TASK_REVIEW',
  session: journal.id,
  iteration: 1,
  cycle: 1,
  goal: 'implement-plan',
  workspace,
  sessionDirectory: journal.directory,
  ...(task === undefined ? {} : { task, attempt: 1 }),
  tasks: [],
  messages: [],
  settings,
});

const taskOf = (id: string, verify: TaskDefinition['verify']): TaskDefinition => ({
  ...bareTask(id, 1),
  verify,
  type: 'Sequential',
  role: 'Executor',
});
