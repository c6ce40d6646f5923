import type { Subcommand } from '../cli.ts';
import type { HookOptions } from '../integrations/hook/run-hook.ts';

/** `ralph-tui hook EVENT`: what Claude Code runs at its events; `init --hooks` puts it into the settings, and our plugin brings it. */
export const hook: Subcommand = (program, cli) => {
  program
    .command('hook')
    .argument('<event>', 'PreToolUse, PostToolUse, Stop, TaskCompleted, TeammateIdle or SessionStart')
    .option('--session <id>', 'which session (default: RALPH_SESSION, else the newest unfinished one)')
    .option(
      '--as <role>',
      "the agent's role, or a team role such as builder (default: RALPH_ROLE, else Executor)",
    )
    .option('--plugin', 'do nothing where the settings of Claude Code contain this hook as well')
    .action(
      cli.does(async (event: string, options: HookOptions) => {
        const { runHook } = await import('../integrations/hook/run-hook.ts');
        if (cli.env['RALPH_DEBUG'] !== 'true') return runHook(cli, event, options);
        const { runLoggedHook } = await import('../integrations/hook/logged-hook.ts');
        return runLoggedHook(cli, event, options);
      }),
    );
};
