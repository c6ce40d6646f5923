import { safe } from '../../base/safe.ts';
import type { Finding } from '../../discovery/records/finding.ts';
import { avoidOptions, avoidQuestion, preferOptions } from '../../discovery/wizard/options.ts';
import type { Acknowledged } from '../../session/guidance/acknowledged.ts';
import { type Guidance, guidanceFileName, saysSomething } from '../../session/guidance/guidance.ts';
import {
  numbersIn,
  ownWords,
  resultLines,
  type WizardChoices,
  type WizardOption,
  type WizardResult,
  wizardResult,
} from '../../session/guidance/wizard-choices.ts';
import { type Cli, exitCodes } from '../cli.ts';
import { saveWizard } from '../discovery/save-wizard.ts';
import { scanForGuidance } from '../discovery/wizard-offers.ts';
import { acceptFile, readAcknowledged, readGuidance } from '../trust/guidance-store.ts';
import type { World } from '../world.ts';

interface WizardStart {
  readonly workspace: string;
  readonly stored: Guidance;
  readonly acknowledged: Acknowledged;
  readonly findings: readonly Finding[];
}

/** Scans the workspace, asks in lines whether guidance from the repository counts, and then for new guidance. `show` prints it. */
export const guidanceInLines = async (
  cli: Cli,
  world: World,
  workspace: string,
  show: () => Promise<unknown>,
): Promise<number> => {
  const findings = await scanForGuidance(cli, world, workspace);
  if (!readGuidance(cli, world, workspace).trusted) {
    cli.print('This came with the repository:');
    await show();
    const answer = await cli.typed.answer(() => cli.stdout.write('Take it over? [y/N] '));
    if (answer === null) return exitCodes.done;
    if (/^\s*y(?:es)?\s*$/i.test(answer)) acceptFile(cli, world, workspace, guidanceFileName);
  }
  const { value: stored } = readGuidance(cli, world, workspace);
  const { value: acknowledged } = readAcknowledged(cli, world, workspace);
  await guidanceWizard(cli, world, { workspace, stored, acknowledged, findings });
  return exitCodes.done;
};

/**
 * Asks for guidance line by line (src/discovery/README.md, Wizard). An empty line skips a step; `q` or the end of the
 * input changes nothing.
 */
const guidanceWizard = async (cli: Cli, world: World, start: WizardStart): Promise<boolean> => {
  if (saysSomething(start.stored) && !(await wantsAnew(cli, start.stored))) return left(cli);
  const avoid = await chooseAvoid(cli, start);
  if (avoid === 'left') return left(cli);
  const avoidWords = await askWords(
    cli,
    'Anything else to avoid, in your own words? (path:GLOB and command:GLOB are enforced)',
  );
  if (avoidWords === 'left') return left(cli);
  const prefer = await choose(cli, 'What should the agents prefer?', preferOptions);
  if (prefer === 'left' || prefer === 'folded') return left(cli);
  const preferWords = await askWords(cli, 'Anything else to prefer?');
  if (preferWords === 'left') return left(cli);
  const choices: WizardChoices = { avoid, avoidWords, prefer, preferWords };
  return save(cli, world, start, wizardResult(start.stored, choices));
};

const left = (cli: Cli): false => {
  cli.print('Nothing was changed.');
  return false;
};

/** The trimmed answer; null when the person leaves. */
const ask = async (cli: Cli, lines: readonly string[], prompt: string): Promise<string | null> => {
  const answer = await cli.typed.answer(() => {
    for (const line of lines) cli.print(line);
    cli.stdout.write(`${prompt} `);
  });
  const text = answer?.trim() ?? null;
  return text === null || /^q(?:uit)?$/i.test(text) ? null : text;
};

const wantsAnew = async (cli: Cli, { forbidden, encouraged, timestamp }: Guidance): Promise<boolean> => {
  const lines = [
    `There is guidance already${timestamp === null ? '' : `, saved ${safe(timestamp)}`}: ${forbidden.length} to avoid, ${encouraged.length} to prefer.`,
  ];
  const answer = await ask(cli, lines, 'Keep it or change it? [K/c]');
  return answer !== null && /^c/i.test(answer);
};

const chooseAvoid = async (
  cli: Cli,
  { findings, acknowledged }: WizardStart,
): Promise<readonly WizardOption[] | null | 'left'> => {
  const { options, low } = avoidOptions(findings, acknowledged, false);
  const folded = low === 0 ? null : `l  shows ${low} low finding${low === 1 ? '' : 's'} too`;
  const first = await choose(cli, avoidQuestion(findings, acknowledged), options, folded);
  if (first !== 'folded') return first;
  const all = await choose(
    cli,
    avoidQuestion(findings, acknowledged),
    avoidOptions(findings, acknowledged, true).options,
  );
  return all === 'folded' ? null : all;
};

const choose = async (
  cli: Cli,
  question: string,
  options: readonly WizardOption[],
  folded: string | null = null,
): Promise<readonly WizardOption[] | null | 'left' | 'folded'> => {
  const width = String(options.length).length;
  const list = options.flatMap(({ label, detail }, index) => [
    `${String(index + 1).padStart(width)}  ${label}`,
    `${' '.repeat(width)}  ${detail}`,
  ]);
  for (let lines: readonly string[] = ['', question, ...list, ...(folded === null ? [] : [folded])]; ; ) {
    const answer = await ask(cli, lines, 'Numbers (1 3-5), or an empty line to skip:');
    if (answer === null) return 'left';
    if (answer === '') return null;
    if (folded !== null && /^l(?:ow)?$/i.test(answer)) return 'folded';
    const numbers = numbersIn(answer, options.length);
    if (numbers !== null) return numbers.flatMap((number) => options[number - 1] ?? []);
    lines = [`"${safe(answer)}" is no list of numbers from 1 to ${options.length}.`];
  }
};

const askWords = async (cli: Cli, question: string): Promise<readonly string[] | null | 'left'> => {
  const answer = await ask(cli, ['', question], 'Separated by commas, or an empty line to skip:');
  if (answer === null) return 'left';
  return answer === '' ? null : ownWords(answer);
};

const save = async (
  cli: Cli,
  world: World,
  { workspace }: WizardStart,
  result: WizardResult,
): Promise<boolean> => {
  const lines = ['', ...resultLines(result).map(safe)];
  const answer = await ask(cli, lines, 'Save this? [Y/n]');
  if (answer === null || !/^(?:y(?:es)?)?$/i.test(answer)) return left(cli);
  cli.print(saveWizard(cli, world, workspace, result));
  return true;
};
