import { join } from 'node:path';
import type { Finding } from '../../discovery/records/finding.ts';
import { type Cli, Exit, exitCodes } from '../cli.ts';
import {
  acceptCritical,
  criticalLine,
  type StartDiscovery,
  startDiscovery,
} from '../discovery/start-discovery.ts';
import type { StartRequest } from '../host/start-request.ts';
import { openFile } from '../terminal/edit-text.ts';
import type { Consent } from '../trust/ask-trust.ts';
import type { World } from '../world.ts';

/** The command line's word on discovery before a start. */
export interface Discovering {
  /** False for `--no-discovery`. */
  readonly discovery: boolean;
  /** Starts with critical findings, too. */
  readonly despiteCritical: boolean;
  /** What the wizard found a moment ago; the first look is left out. */
  readonly found?: readonly Finding[];
  /** Critical findings that a person chose to start with, before the wizard. The start records it and does not ask again. */
  readonly accepted?: readonly Finding[];
}

/** Discovery that may still run while the session starts, or the decision of a person not to start. */
type Discovered = { readonly kind: 'start'; readonly stop: () => Promise<void> } | { readonly kind: 'stay' };

/**
 * Looks at the workspace before agents with a model start in it (src/discovery/README.md, Commands and Wizard). Waits only for the scanner. Critical
 * findings are asked about; without a person the program ends with exit 3, unless `--despite-critical`.
 */
export const discoverFirst = async (
  cli: Cli,
  world: World,
  { workspace, discovers }: StartRequest,
  { mayAsk }: Consent,
  { discovery, despiteCritical, found, accepted = [] }: Discovering,
): Promise<Discovered> => {
  if (!discovery || !discovers) return { kind: 'start', stop: async () => {} };
  let known = found;
  for (;;) {
    // Later sentences would break the screen.
    let isQuiet = false;
    const tell = (sentence: string): void => (isQuiet ? undefined : cli.note(sentence));
    const running = startDiscovery(cli, world, workspace, tell, known);
    known = undefined;
    if (running === null) return { kind: 'start', stop: async () => {} };
    const critical = (await running.critical).filter(({ id }) => !accepted.some((each) => each.id === id));
    if (critical.length > 0 && !despiteCritical && !mayAsk) throw await refusal(running, critical);
    isQuiet = true;
    if (critical.length === 0 || despiteCritical) {
      for (const finding of critical) cli.note(`ralph-tui: critical: ${criticalLine(finding)}`);
      acceptCritical(cli, world, workspace, [...accepted, ...critical]);
      return { kind: 'start', stop: running.stop };
    }
    const answer = await settleCritical(cli, world, workspace, critical);
    if (answer === 'start') {
      acceptCritical(cli, world, workspace, [...accepted, ...critical]);
      return { kind: 'start', stop: running.stop };
    }
    await running.stop();
    if (answer === 'stay') {
      cli.note('Nothing was started.');
      return { kind: 'stay' };
    }
  }
};

/** Asks about critical findings in lines. `fixed`: a person had the first file open, so one has to look again. */
export const settleCritical = async (
  cli: Cli,
  world: World,
  workspace: string,
  critical: readonly Finding[],
): Promise<'start' | 'stay' | 'fixed'> => {
  const answer = await askCritical(cli, critical);
  if (answer !== 'fix') return answer;
  const file = fileToFix(critical);
  if (file !== null) await openFile(cli, world, join(workspace, file));
  return 'fixed';
};

/** The records are written before the program ends. */
const refusal = async (running: StartDiscovery, critical: readonly Finding[]): Promise<Exit> => {
  await running.done;
  const [first] = critical;
  const count = `${critical.length} critical finding${critical.length === 1 ? '' : 's'}`;
  return new Exit(exitCodes.waits, {
    code: 'critical-findings',
    what: `${count}: ${first === undefined ? '' : criticalLine(first)}`,
    hint: `fix ${critical.length === 1 ? 'it' : 'them'}, or add --despite-critical; \`ralph-tui scan\` lists everything`,
  });
};

/** A failed scan may name no file. */
const fileToFix = (critical: readonly Finding[]): string | null =>
  critical.find(({ file }) => file !== null)?.file ?? null;

const askCritical = async (cli: Cli, critical: readonly Finding[]): Promise<'fix' | 'start' | 'stay'> => {
  const mayFix = fileToFix(critical) !== null;
  for (;;) {
    const answer = await cli.typed.answer(() => {
      cli.note(`${critical.length} critical finding${critical.length === 1 ? '' : 's'}:`);
      for (const finding of critical) cli.note(`  ${criticalLine(finding)}`);
      cli.stderr.write(
        mayFix
          ? 'Fix (opens the first file), start anyway, or neither? [f/s/N] '
          : 'Start anyway, or not? [s/N] ',
      );
    });
    const word = answer?.trim().toLowerCase() ?? '';
    if (mayFix && /^f(?:ix)?$/.test(word)) return 'fix';
    if (/^s(?:tart)?$/.test(word)) return 'start';
    if (word === '' || /^no?$/.test(word)) return 'stay';
  }
};
