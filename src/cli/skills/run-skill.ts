import type { TalkIo } from '../../skills/talk/talk-io.ts';
import type { TalkJournal } from '../../skills/talk/talk-journal.ts';
import { type Cli, Exit, exitCodes } from '../cli.ts';
import { agreeTo, consentOf } from '../trust/ask-trust.ts';
import type { World } from '../world.ts';
import { prepareSkill } from './prepare-skill.ts';
import type { SkillEnd } from './skill-run.ts';
import { talkInLines } from './talk-in-lines.ts';

export interface RunOptions {
  readonly json?: boolean;
  /** `true`: the newest conversation that was left. */
  readonly continue?: string | true;
  readonly agent?: string;
  readonly permissions?: string;
  readonly yes?: boolean;
  /** Converses line by line in another way, where no screen is opened. */
  readonly openLines?: typeof talkInLines;
  /** Opens the screen of a conversation; absent: it goes line by line. */
  readonly openScreen?: (label: string) => { readonly io: TalkIo; readonly close: () => Promise<void> };
}

/** Starts a skill, or continues a conversation that was left. Exit 0: it ended; 3: the person left and may continue. */
export const runSkill = async (
  cli: Cli,
  world: World,
  workspace: string,
  name: string | null,
  argument: string,
  options: RunOptions,
): Promise<number> => {
  const { subjects, label, notice, begin } = prepareSkill(cli, world, workspace, {
    ...options,
    name,
    argument,
  });
  const consent = consentOf(cli, 'plain', { yes: options.yes === true, headless: options.json === true });
  if (!(await agreeTo(cli, world, { workspace, subjects }, consent)))
    throw new Exit(exitCodes.waits, { code: 'not-agreed', what: 'nothing was started' });
  const { journal, work } = begin();
  try {
    if (notice !== '') cli.note(notice);
    // The screen covers what was printed before it.
    if (notice !== '' && options.openScreen !== undefined)
      journal.add({ type: 'said', by: 'program', text: notice });
    const { io, close } =
      options.openScreen?.(label) ??
      (options.openLines ?? talkInLines)(cli, options.json ? cli.note : cli.print);
    const end = await work(io).finally(close);
    return report(cli, journal, end, options.json === true);
  } catch (error) {
    // Nothing was said: it would only refuse again.
    if (journal.talk().turns.length === 0 && journal.talk().open === null)
      journal.add({ type: 'ended', why: 'done' });
    throw error;
  } finally {
    journal.close();
  }
};

const report = (cli: Cli, journal: TalkJournal, { ended, lines }: SkillEnd, json: boolean): number => {
  const { kept, made, skill, spent, problems } = journal.talk();
  if (json) {
    cli.printJson({ conversation: journal.id, skill, ended, kept, problems, made, spent });
    if (ended === 'left') for (const line of lines) cli.note(line);
  } else {
    for (const line of lines) cli.print(line);
    if (ended === 'left')
      cli.print(`\nYou left the conversation. Continue with: ralph-tui skill --continue ${journal.id}`);
    if (spent.input + spent.output > 0) cli.print(spentWords(spent));
  }
  return ended === 'left' ? exitCodes.waits : exitCodes.done;
};

/** `Tokens: 1,200 in, 300 out; $0.02` */
const spentWords = ({ input, output, cost }: ReturnType<TalkJournal['talk']>['spent']): string => {
  const count = (tokens: number): string => tokens.toLocaleString('en-US');
  return `Tokens: ${count(input)} in, ${count(output)} out${cost === null ? '' : `; $${cost.toFixed(2)}`}`;
};
