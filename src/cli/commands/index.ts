import type { Subcommand } from '../cli.ts';

/** Every subcommand, in the order `--help` and the README show them. */
export const commands: readonly Subcommand[] = [];
