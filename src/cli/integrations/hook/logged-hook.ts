import { plainRecord } from '../../../observability/debug/debug-record.ts';
import { type Cli, exitCodes } from '../../cli.ts';
import { openDebug } from '../../session/debug/open-debug-log.ts';
import { findWorkspace } from '../../session/find-workspace.ts';
import { createWorld } from '../../world.ts';
import { type HookOptions, runHook } from './run-hook.ts';

/** Runs a hook with a record in a debug log of its own. A hook that exits with 2 refuses what the agent wanted. */
export const runLoggedHook = async (cli: Cli, name: string, options: HookOptions): Promise<number> => {
  const world = createWorld();
  const log = openDebug(cli, world, {
    workspace: findWorkspace(cli.cwd),
    settings: null,
    session: options.session ?? cli.env['RALPH_SESSION'] ?? null,
    tell: cli.note,
  });
  const said: string[] = [];
  const from = world.clock.monotonic();
  const note = (text: string): void => {
    said.push(text);
    cli.note(text);
  };
  const code = await runHook({ ...cli, note }, name, options);
  const failed = code !== exitCodes.done && code !== exitCodes.usage;
  log?.add({
    ...plainRecord('hook', name, 'run'),
    params: { role: options.as ?? cli.env['RALPH_ROLE'] ?? 'Executor' },
    duration_ms: Math.round(world.clock.monotonic() - from),
    ok: !failed,
    error: failed ? (said.at(-1) ?? `exit ${code}`) : null,
    error_type: failed ? 'hook-failed' : null,
    exit_code: code,
    blocked: code === exitCodes.usage,
  });
  return code;
};
