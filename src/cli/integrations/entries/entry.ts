import type { Checked } from '../../../base/fault.ts';
import type { Cli } from '../../cli.ts';
import type { World } from '../../world.ts';

/** An entry of ours in the settings of another program: `init` adds it and takes it out again. Every other byte of the file stays. */
export interface Entry {
  /** The name in "no NAME in FILE". */
  readonly name: string;
  readonly file: (cli: Cli, world: World) => string;
  /** `null`: there is no such file yet. */
  readonly add: (text: string | null) => Checked<string>;
  /** The text without it, or `null` when nothing is left that the file is for. */
  readonly remove: (text: string) => Checked<string | null>;
  /** Names something that already does the same for that program, in words that follow "nothing was written: "; `null`: nothing does. */
  readonly elsewhere?: (cli: Cli, world: World) => string | null;
}
