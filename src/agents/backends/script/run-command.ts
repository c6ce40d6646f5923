import { isAbsolute, relative, resolve } from 'node:path';
import { isForbiddenVariable } from '../../../base/process/forbidden-variable.ts';
import type { ChildExit } from '../../../base/process/spawn.ts';
import type { Command } from '../../../tasks/task.ts';
import type { CommandResult } from '../../command-result.ts';
import { commandText } from '../../command-text.ts';
import { markerOf } from '../../marker.ts';
import type { Message } from '../../port.ts';
import { infoText, steerText } from '../../roles/messages.ts';
import { exitText } from '../exit-text.ts';
import { slotVariable } from '../slot-variable.ts';
import { createOutputTail, type OutputTail } from './output-tail.ts';
import type { ScriptContext } from './script-turn.ts';
import { expandVariables, withheldFrom } from './variables.ts';

interface CommandCall {
  readonly command: Command;
  readonly index: number;
  readonly of: number;
  readonly purpose: 'run' | 'verify' | 'on_steer' | 'setup';
  /** All messages so far. The command gets them as RALPH_STEER and RALPH_INFO. */
  readonly messages: readonly Message[];
}

/**
 * Runs one command of a task to its end: the intent first, then the process, its output, and its exit. Never throws: a command that cannot start is a
 * result like any other.
 */
export const runCommand = async (context: ScriptContext, call: CommandCall): Promise<CommandResult> => {
  const { host, clock } = context;
  const { command, index, purpose } = call;
  host.emit({ type: 'command.started', index, command, of: call.of, purpose });
  const begun = clock.monotonic();
  const tail = createOutputTail();
  const exit = await perform(context, call, tail);
  const ok = exit.kind === 'exited' && exit.code === 0;
  const result: CommandResult = {
    text: commandText(command),
    purpose,
    exit: exitText(exit),
    ok,
    duration_ms: Math.max(0, Math.round(clock.monotonic() - begun)),
    tail: ok ? '' : tail.text(),
    ...(ok ? {} : withheldIn(context, call, tail.end())),
    ...(purpose === 'verify' ? { output: tail.end() } : {}),
  };
  host.emit({
    type: 'command.ended',
    index,
    exit: result.exit,
    ok: result.ok,
    duration_ms: result.duration_ms,
  });
  return result;
};

const withheldIn = (
  context: ScriptContext,
  call: CommandCall,
  output: string,
): Pick<CommandResult, 'withheld'> => {
  const given = { ...context.env, ...call.command.env };
  const names = withheldFrom(commandText(call.command), output, context.personal, given);
  return names.length === 0 ? {} : { withheld: names };
};

const perform = async (context: ScriptContext, call: CommandCall, tail: OutputTail): Promise<ChildExit> => {
  const { brief, host, spawn, track } = context;
  const { command } = call;
  const cwd = resolve(brief.workspace, command.cwd ?? '.');
  const way = relative(brief.workspace, cwd);
  if (way === '..' || way.startsWith('../') || isAbsolute(way)) {
    return { kind: 'not-started', reason: `cwd "${command.cwd}" is outside the workspace` };
  }
  const forbidden = Object.keys(command.env ?? {}).find(isForbiddenVariable);
  if (forbidden) {
    return { kind: 'not-started', reason: `a plan must not set ${forbidden}: it changes which code runs` };
  }
  const own = expandVariables(command.env ?? {}, { ...context.personal, ...promised(context, call) });
  if ('missing' in own) {
    const [name, missing] = [own.in, `\${${own.missing}}`];
    const reason = `\`env\` of the command sets ${name} to ${missing}, which is not set in your environment: set it, or write \${${own.missing}:-DEFAULT}`;
    return { kind: 'not-started', reason };
  }
  const timeoutMs = command.timeout_ms ?? brief.task?.timeout_ms;
  const child = spawn.start(
    {
      command: command.cmd,
      asTyped: true,
      cwd,
      env: { ...commonEnvironment(context, call), ...own.env, ...promised(context, call) },
      marker: markerOf(brief),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    },
    {
      started: ({ pid, startTime }) => {
        host.emit({ type: 'process.started', index: call.index, pid, start_time: startTime });
        context.carried(call.messages, `with \`${programOf(command)}\``);
      },
      output: (bytes, stream) => {
        tail.add(bytes);
        host.output(bytes, stream);
      },
    },
  );
  track(child);
  try {
    return await child.exit;
  } finally {
    track(null);
  }
};

/** The first word of a command. Never a part of one: a secret that is cut is not recognised and redacted. */
const programOf = (command: Command): string => commandText(command).split(/\s/, 1)[0] ?? '';

/** What every command starts from. Checks run as they do in continuous integration: once, without questions and without watching. */
const commonEnvironment = (
  { env }: Pick<ScriptContext, 'env'>,
  { purpose }: Pick<CommandCall, 'purpose'>,
): Readonly<Record<string, string>> => ({ ...(purpose === 'verify' ? { CI: 'true' } : {}), ...env });

/** The variables promised to commands (src/session/README.md, plan.yaml). A plan's own `env` cannot forge them. */
const promised = (
  context: Pick<ScriptContext, 'brief'>,
  call: Pick<CommandCall, 'messages'>,
): Readonly<Record<string, string>> => ({
  RALPH_SESSION: context.brief.session,
  RALPH_TASK: context.brief.task?.id ?? '',
  RALPH_ATTEMPT: String(context.brief.attempt ?? 1),
  RALPH_ITERATION: String(context.brief.iteration),
  ...slotVariable(context.brief),
  RALPH_STEER: steerText(call.messages),
  RALPH_INFO: infoText(call.messages),
});
