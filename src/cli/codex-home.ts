import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Cli } from './cli.ts';

/** The folder of the settings and slash commands of Codex. */
export const codexHome = ({ env }: Pick<Cli, 'env'>): string =>
  env['CODEX_HOME'] || join(env['HOME'] || homedir(), '.codex');

const serverRalph = /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*["']?ralph["']?[ \t]*[\].]/m;

/** Whether these settings have a server that a person wrote under the name of a session's own tools: Codex takes it in their place. */
export const displacesTools = (config: string): boolean => serverRalph.test(config);
