import type { Spawn } from '../../src/base/process/spawn.ts';
import type { ProgramPorts } from '../../src/issues/trackers/program.ts';
import { trackerPorts } from './tracker-ports.ts';

export interface ProgramAnswer {
  readonly code?: number;
  readonly out?: string;
  readonly error?: string;
}

/** What a program answers to its arguments and its stdin. */
export type ScriptedProgram = (args: readonly string[], input: string) => ProgramAnswer;

/** Ports on which only these programs are installed. They run inside the test, one call after another. */
export const scriptedPorts = (
  programs: Readonly<Record<string, ScriptedProgram>>,
  ports = trackerPorts(),
): ProgramPorts & { readonly calls: string[] } => {
  const calls: string[] = [];
  const refuse = () => {
    throw new Error('a tracker only starts programs and waits for them');
  };
  const spawn: Spawn = {
    start: ({ command, input = '' }, listen) => {
      if (typeof command === 'string') throw new Error(`a shell line: ${command}`);
      const [name = '', ...args] = command;
      const program = programs[name];
      calls.push(command.join(' '));
      const answer = program?.(args, input);
      const bytes = (text = ''): Uint8Array => new TextEncoder().encode(text);
      listen.output(bytes(answer?.out), 'stdout');
      listen.output(bytes(answer?.error), 'stderr');
      const exit = answer
        ? { kind: 'exited' as const, code: answer.code ?? 0 }
        : { kind: 'not-started' as const, reason: `spawn ${name} ENOENT` };
      return { exit: Promise.resolve(exit), write: refuse, endInput: refuse, stop: refuse };
    },
    stopMarked: refuse,
    possiblyLeft: () => [],
    survivors: () => ({ marked: [], possibly: [] }),
    self: { boot: 'b', pidNamespace: 'n', pid: 1, startTime: '1' },
    isAlive: () => 'unknown',
  };
  return { ...ports, spawn, env: { PATH: '/usr/bin' }, calls };
};

/** `--label=a`, `--label a` and flags without a value, and what stands alone. */
export const parsedArguments = (
  args: readonly string[],
  known: Readonly<Record<string, 'value' | 'flag'>>,
) => {
  const flags = new Map<string, string[]>();
  const plain: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const [name = '', ...rest] = (args[at] ?? '').split('=');
    if (!name.startsWith('-')) plain.push(args[at] ?? '');
    else {
      const kind = known[name];
      if (kind === undefined) return { unknown: name, flags, plain };
      const isNext = kind === 'value' && rest.length === 0;
      const value = kind === 'flag' ? 'true' : isNext ? (args[at + 1] ?? '') : rest.join('=');
      if (isNext) at += 1;
      flags.set(name, [...(flags.get(name) ?? []), value]);
    }
  }
  return { unknown: null, flags, plain };
};
