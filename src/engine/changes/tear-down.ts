import type { Brief } from '../../agents/port.ts';
import type { Attempt, BeforeRemoval } from '../../changes/port.ts';
import { isFence } from '../../pipeline/agents/fenced-places.ts';
import { configuredPlaces } from '../../pipeline/agents/placement.ts';
import { attemptKey } from '../../pipeline/changes/changes-state.ts';
import { here } from '../../tasks/task.ts';
import type { Core } from '../core.ts';
import { tellProblem } from '../tell-problem.ts';

/** How long one command of `worktree.teardown` may take: the session does not end before it. */
const longestMs = 60_000;

/**
 * Runs `worktree.teardown` in the worktree of a settled attempt before it is removed: what `worktree.setup` started outside of it has no owner after that. What
 * fails is a problem of the session, and the worktree goes all the same.
 */
export const tearDown =
  (core: Core, { task, attempt }: Attempt): BeforeRemoval =>
  async (place) => {
    const { settings, iteration, tasks, changes } = core.loop.state();
    const definition = tasks.get(task)?.definition;
    const agent = definition?.agent ?? settings.roles['executor'] ?? 'script';
    // A runner makes a work tree of its own. Here `worktree.setup` ran for an attempt that may have begun here.
    const isSetUp = changes.attempts.get(attemptKey(iteration, task, attempt))?.isSetUp ?? false;
    if (isSetUp || mayHaveBegunHere(core, task, agent)) await runTearDown(core, { task, attempt }, place);
  };

/** Whether the attempt may have begun on this machine. What a fence wrote runs nothing here. */
const mayHaveBegunHere = ({ loop }: Core, task: string, agent: string): boolean => {
  const { settings, tasks, changes } = loop.state();
  const places = configuredPlaces(settings, {
    mode: 'IMPLEMENT',
    task: tasks.get(task)?.definition,
    backend: agent,
  });
  const runners = changes.workedOn.get(task) ?? [];
  return places.includes(here) && !runners.some((name) => isFence(settings, name));
};

/** The same in a worktree in which merges of any task were verified. */
export const tearDownCheck =
  (core: Core): BeforeRemoval =>
  async (place) => {
    const [task] = core.loop.state().tasks.keys();
    if (task !== undefined) await runTearDown(core, { task, attempt: 1 }, place);
  };

const runTearDown = async (
  core: Core,
  { task, attempt }: Attempt,
  { directory, slot }: Parameters<BeforeRemoval>[0],
): Promise<void> => {
  const { loop, options } = core;
  const { settings, iteration, session, goal, tasks } = loop.state();
  const commands = settings.worktree.teardown;
  const definition = tasks.get(task)?.definition;
  const script = options.backends.find(({ name }) => name === 'script');
  if (commands.length === 0 || definition === undefined || script === undefined || !loop.isOpen()) return;
  const brief: Brief = {
    invocation: `Executor-teardown-${task}`,
    role: 'Executor',
    mode: 'IMPLEMENT',
    session,
    iteration,
    cycle: 1,
    goal,
    workspace: directory,
    sessionDirectory: options.paths.directory,
    task: { ...definition, timeout_ms: longestMs },
    attempt,
    tasks: [],
    messages: [],
    settings,
    ...(slot === null ? {} : { slot }),
  };
  const worker = script.start(brief, { emit: () => {}, output: () => {} });
  const ask = { kind: 'setup', prompt: '', messages: [], data: { commands } };
  const result = await worker.turn(ask, async () => ({ kind: 'go', messages: [] }));
  const why =
    result.kind === 'failed'
      ? result.fault.what
      : result.kind === 'answered'
        ? result.answer
        : 'it was stopped';
  if (why !== null)
    tellProblem(core, { code: 'worktree-teardown', what: `worktree.teardown failed: ${why}` });
};
