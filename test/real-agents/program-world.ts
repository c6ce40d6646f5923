import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFailed, onTestFinished } from 'vitest';
import { z } from 'zod';
import { cleanEnvironment, type RunningProgram, startProgram } from '../helpers/program.ts';
import type { ScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { startOf } from './agents.ts';
import { makeHome, makeWorkspace, processes } from './world.ts';

/** What every program of a test gets; all else of an agent's environment is its own. */
const common = cleanEnvironment();

/** An agent for the configuration: `agents.<name>`. */
export type AgentEntry = Readonly<Record<string, unknown>>;

/** The real agent with a home of its own, in the words of the configuration. */
export const realEntry = (agent: RealAgent, home: string, modelUrl: string): AgentEntry => {
  const { command, args, env } = startOf(agent, join(home, agent.name), modelUrl);
  mkdirSync(join(home, agent.name), { recursive: true });
  return {
    type: 'acp',
    profile: agent.name,
    command: [command, ...args],
    env: Object.fromEntries(Object.entries(env).filter(([name, value]) => common[name] !== value)),
  };
};

export const scriptedEntry = ({ command, args }: ScriptedAgent): AgentEntry => ({
  type: 'acp',
  command: [command, ...args],
});

const eventSchema = z.looseObject({ type: z.string(), at: z.string() });
export type JournalEvent = z.infer<typeof eventSchema>;

const planOf = (tasks: readonly { readonly id: string; readonly file: string }[]): object => ({
  goal: 'Write files',
  settings: {
    planning: { max_cycles: 0 },
    gates: [],
    concurrency: { max_parallel_executors: 1 },
    timeouts: { abort_grace: '1s' },
  },
  tasks: tasks.map(({ id, file }) => ({
    id,
    title: `Write the ${id} file`,
    objective: `Write ${file}.`,
    files: [file],
    run: [],
    verify: [`test -e ${file}`],
  })),
});

/** A workspace of its own in which our program runs sessions with the agents of `configure`. `env`: beside its home. */
export const createProgramWorld = (env: Readonly<Record<string, string>> = {}) => {
  const home = makeHome();
  const workspace = makeWorkspace(home);
  const own = { HOME: home, ...env };
  const sessions = join(workspace, '.ralph-sessions');
  const ids = (): readonly string[] =>
    readdirSync(sessions)
      .filter((name) => /^\d{6}-\d{6}$/.test(name))
      .sort();
  const directory = (): string => {
    const [id] = ids();
    if (id === undefined) throw new Error('no session was begun');
    return join(sessions, id);
  };
  const eventsIn = (session: string): readonly JournalEvent[] =>
    readFileSync(join(session, 'journal.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => eventSchema.parse(JSON.parse(line)));
  const events = (): readonly JournalEvent[] => eventsIn(directory());

  const start = (args: readonly string[], more: { readonly input?: string } = {}): RunningProgram => {
    const program = startProgram(args, { cwd: workspace, env: own, ...more });
    onTestFinished(() => program.kill('SIGKILL'));
    onTestFailed(() => console.log(`${args.join(' ')}\n${program.output().slice(-6_000)}`));
    return program;
  };

  return {
    home,
    workspace,
    /** Of the programs that are started here. */
    environment: cleanEnvironment(own),
    directory,
    events,
    /** The events of every session. */
    journals: () => ids().map((id) => eventsIn(join(sessions, id))),
    /** Tasks share the workspace unless `config` says otherwise: the scripts of most models name files in it by absolute path. */
    configure: (config: object): void => {
      mkdirSync(join(workspace, '.ralph'), { recursive: true });
      const text = JSON.stringify({ isolation: 'shared', ...config });
      writeFileSync(join(workspace, '.ralph', 'config.yaml'), text);
    },
    /** Writes `plan.yaml`: tasks for an agent, of which each is to write its one file. */
    plan: (...tasks: readonly { readonly id: string; readonly file: string }[]): void =>
      writeFileSync(join(workspace, 'plan.yaml'), JSON.stringify(planOf(tasks))),
    /** Starts the program; it is killed when the test ends before it does. */
    start: (...args: readonly string[]): RunningProgram => start(args),
    /** The same with somebody at its stdin who says nothing. */
    converse: (...args: readonly string[]): RunningProgram => start(args, { input: '' }),
    /** Processes of agents of this workspace that run now. */
    agents: () => processes().filter(({ environment }) => environment.includes(`RALPH_RUN=${sessions}`)),
    read: (path: string): string => readFileSync(join(workspace, path), 'utf8'),
  };
};

export type ProgramWorld = ReturnType<typeof createProgramWorld>;
