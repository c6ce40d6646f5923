import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Cli } from './cli.ts';

/** The folder of the settings and slash commands of Codex. */
export const codexHome = ({ env }: Pick<Cli, 'env'>): string =>
  env['CODEX_HOME'] || join(env['HOME'] || homedir(), '.codex');
