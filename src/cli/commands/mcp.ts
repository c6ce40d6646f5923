import { taskRoles } from '../../issues/task-list/task-phase.ts';
import { agentSchema } from '../../signals/signal.ts';
import type { Subcommand } from '../cli.ts';

/** `ralph-tui mcp`: MCP on stdio, for an agent that another program runs. Stdout is for the protocol only. */
export const mcp: Subcommand = (program, cli) => {
  program
    .command('mcp')
    .option('--session <id>', 'which session (default: the newest unfinished one at each call)')
    .option(
      '--as <role>',
      `the role of the agent: ${agentSchema.options.join(', ')}; in a team: ${taskRoles.join(', ')}; an agent with a role cannot steer`,
    )
    .action(
      cli.does(async (options: { readonly session?: string; readonly as?: string }) => {
        const { serveMcp } = await import('../integrations/serve-mcp.ts');
        return serveMcp(cli, options);
      }),
    );
};
