import { join } from 'node:path';
import { z } from 'zod';
import { childEnvironment } from '../../../base/process/child-environment.ts';
import { isForbiddenVariable } from '../../../base/process/forbidden-variable.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import type { Backend, BackendHost, Brief, Worker } from '../../port.ts';
import { ownAgentFields } from '../../profiles/own-agent.ts';
import { createAgentLog } from '../acp/agent-log.ts';
import type { ProgramDeps } from '../program-deps.ts';
import { slotVariable } from '../slot-variable.ts';
import { createCommandWorker } from './command-worker.ts';
import { outputProfiles } from './output/index.ts';
import type { ProgramRuns } from './program-run.ts';
import { createStreamRuns } from './stream-runs.ts';
import { createTextRuns } from './text-runs.ts';

/** A user's program as an agent: `agents.<name>` with `type: command` (src/engine/README.md, Backends; src/session/README.md, Configuration). */
export const commandAgentSchema = z.strictObject({
  type: z.literal('command'),
  ...ownAgentFields,
  /** argv without a shell. Replaces `{prompt}` and `{prompt_file}`. */
  command: z.array(z.string().min(1)).min(1).readonly(),
  /** How the program gets the prompt. `argument` and `file` are appended if the argv has no place for them. */
  prompt: z.enum(['stdin', 'argument', 'file']).default('stdin'),
  /** What it prints: `text` with its answer, or the JSON lines of Claude Code or Codex. */
  output: z.enum(['text', 'claude', 'codex']).default('text'),
});
export type CommandAgent = z.infer<typeof commandAgentSchema>;

/** A backend for any program that takes a prompt and prints its answer. One run is one turn. */
export const createCommandBackend = (deps: ProgramDeps, name: string, agent: CommandAgent): Backend => ({
  name,
  label: agent.label ?? agent.command.join(' '),
  model: { tools: false },
  start: (brief: Brief, host: BackendHost): Worker =>
    createCommandWorker({
      brief,
      host,
      program: withoutPrompt(deps, agent, brief, programRuns(deps, name, agent, brief, host)),
      clock: deps.clock,
    }),
});

const programRuns = (
  deps: ProgramDeps,
  name: string,
  agent: CommandAgent,
  brief: Brief,
  host: BackendHost,
): ProgramRuns => {
  const { clock, spawn } = deps;
  const call = (prompt: string) => callOf(deps, agent, brief, prompt);
  const ports = { brief, host, clock, spawn, call };
  if (agent.output === 'text') return createTextRuns(ports);
  const profile = outputProfiles[agent.output];
  const log = createAgentLog(deps, join(brief.sessionDirectory, 'logs', `${brief.invocation}.agent.log`));
  return createStreamRuns({
    ...ports,
    name,
    log,
    profile: agent.label === undefined ? profile : { ...profile, label: agent.label },
  });
};

/** The agent reads its prompt as it is; once the run has ended, its file is a record and keeps no secret. */
const withoutPrompt = (
  { disk, random, redact = (text) => text }: ProgramDeps,
  agent: CommandAgent,
  brief: Brief,
  runs: ProgramRuns,
): ProgramRuns =>
  agent.prompt !== 'file'
    ? runs
    : {
        ...runs,
        run: async (request) => {
          try {
            return await runs.run(request);
          } finally {
            replaceFile(disk, random, promptFile(brief), redact(request.text));
          }
        },
      };

const promptFile = ({ sessionDirectory, invocation }: Brief): string =>
  join(sessionDirectory, 'logs', `${invocation}.prompt.md`);

/** The command for one prompt. It never uses a shell, so no word of a prompt can be a command. */
const callOf = (deps: ProgramDeps, agent: CommandAgent, brief: Brief, prompt: string) => {
  const file = promptFile(brief);
  if (agent.prompt === 'file') {
    deps.disk.mkdir(join(brief.sessionDirectory, 'logs'));
    replaceFile(deps.disk, deps.random, file, prompt);
  }
  const word = { argument: prompt, file, stdin: '' }[agent.prompt];
  const place = { argument: '{prompt}', file: '{prompt_file}', stdin: '' }[agent.prompt];
  const isPlaced = place !== '' && agent.command.some((part) => part.includes(place));
  const argv = isPlaced
    ? agent.command.map((part) => part.replaceAll(place, () => word))
    : [...agent.command, ...(word === '' ? [] : [word])];
  const passed = agent.pass_env.flatMap((name) => {
    const value = deps.env[name];
    return value === undefined || isForbiddenVariable(name) ? [] : [[name, value] as const];
  });
  return {
    command: argv,
    cwd: brief.workspace,
    env: {
      ...childEnvironment(deps.env, { ...Object.fromEntries(passed), ...agent.env }),
      RALPH_SESSION: brief.session,
      RALPH_TASK: brief.task?.id ?? '',
      RALPH_ATTEMPT: String(brief.attempt ?? 1),
      RALPH_ITERATION: String(brief.iteration),
      ...slotVariable(brief),
    },
    ...(agent.prompt === 'stdin' ? { input: prompt } : {}),
  };
};
