import { formatFault, toFault } from '../../../base/fault.ts';
import { safe } from '../../../base/safe.ts';
import { type Cli, Exit, exitCodes } from '../../cli.ts';
import { type HookEvent, type HookEventName, hookEvents, readEvent } from './hook-event.ts';
import { lookQuickly, type QuickLook } from './quick-look.ts';

/** `--session` and `--as` of a hook. */
export interface HookOptions {
  readonly session?: string;
  readonly as?: string;
  /** Our plugin runs it. */
  readonly plugin?: boolean;
}

/** Answers the event on stdin. Claude Code takes exit 2 for a refusal, so a failure of our own is exit 1. */
export const runHook = async (cli: Cli, name: string, options: HookOptions): Promise<number> => {
  try {
    return await answer(cli, name, options);
  } catch (error) {
    const fault = error instanceof Exit ? error.fault : toFault(error);
    cli.note(`ralph-tui: ${safe(formatFault(fault))}`);
    return exitCodes.failed;
  }
};

const answer = async (cli: Cli, typed: string, options: HookOptions): Promise<number> => {
  const name = hookEvents.find((each) => each.toLowerCase() === typed.toLowerCase());
  // Later versions of Claude Code may have more events in the settings than this program knows.
  if (name === undefined) return exitCodes.done;
  const text = await readAll(cli);
  const event = text === null ? null : readEvent(text);
  if (event === null) {
    cli.note(`ralph-tui: stdin contains no ${name} event from Claude Code; nothing was done`);
    return exitCodes.failed;
  }
  const project = cli.env['CLAUDE_PROJECT_DIR'];
  const look = lookQuickly([event.cwd, ...(project === undefined ? [] : [project])]);
  const session = options.session ?? cli.env['RALPH_SESSION'];
  if (look === null || !concerns(name, look, session, cli.env['RALPH_RUN'] !== undefined))
    return exitCodes.done;
  if (options.plugin && (await givesWay(cli, name, event))) return exitCodes.done;
  const { answerEvent } = await import('./answer-event.ts');
  const { agentOrTeamRole, teamRoleNamed } = await import('../../agent-options.ts');
  const as = options.as ?? cli.env['RALPH_ROLE'] ?? 'Executor';
  const team = teamRoleNamed(as);
  const { json, blocks, says } = await answerEvent(cli, {
    name,
    event,
    workspace: look.workspace,
    session,
    role: team === null ? agentOrTeamRole(as) : 'Executor',
    team,
  });
  if (says !== undefined) cli.print(says);
  if (json !== undefined) cli.printJson(json);
  if (blocks !== undefined) cli.note(blocks);
  return blocks === undefined ? exitCodes.done : exitCodes.usage;
};

/** The hooks of the plugin leave the event to those that `init --hooks` wrote, and say so once, at the start. */
const givesWay = async (cli: Cli, name: HookEventName, event: HookEvent): Promise<boolean> => {
  const { hookInSettings } = await import('./twice.ts');
  const file = hookInSettings(cli.env, event.cwd, name);
  if (file !== null && name === 'SessionStart')
    cli.printJson({
      systemMessage: `The hooks of ralph-tui in ${safe(file)} do the work; those of its plugin do nothing. \`ralph-tui init --hooks --remove\` in that folder leaves the work to the plugin.`,
    });
  return file !== null;
};

/** Whether the rest of the program has to be loaded. */
const concerns = (
  name: HookEventName,
  look: QuickLook,
  session: string | undefined,
  isOwnWorker: boolean,
): boolean => {
  switch (name) {
    case 'PreToolUse':
      return look.hasGuidance || (!isOwnWorker && (look.mayHold || session !== undefined));
    case 'PostToolUse':
      return look.hasMail;
    case 'Stop':
      return look.hasSession;
    case 'TaskCompleted':
    case 'TeammateIdle':
      return true;
    case 'SessionStart':
      return look.hasSession || look.hasIssues;
  }
};

/** Far more than a tool's result: 64 MiB. */
const largest = 67_108_864;

const readAll = async ({ stdin }: Cli): Promise<string | null> => {
  if (stdin.isTTY) return null;
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stdin) {
    const bytes = Buffer.from(piece);
    size += bytes.length;
    if (size > largest) return null;
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString('utf8');
};
