import { formatTimestamp } from '../../base/clock.ts';
import { safe } from '../../base/safe.ts';
import {
  openTalk,
  startTalk,
  storedTalks,
  type TalkJournal,
  type TalkPorts,
} from '../../skills/talk/talk-journal.ts';
import { type Cli, exitCodes, failure, usage } from '../cli.ts';
import { loadConfiguration } from '../session/load-settings.ts';
import type { World } from '../world.ts';
import { draftIdea } from './draft-idea.ts';
import { formIdea } from './form-idea.ts';
import type { SkillEnd, SkillRun } from './skill-run.ts';
import { talkInLines } from './talk-in-lines.ts';

export interface RunOptions {
  readonly json?: boolean;
  /** `true`: the newest conversation that was left. */
  readonly continue?: string | true;
}

/** The skills that work without a model, as forms. */
const forms: Readonly<Record<string, (run: SkillRun) => Promise<SkillEnd>>> = {
  'draft-idea': draftIdea,
  'form-idea': formIdea,
};

/** Starts a skill, or goes on with a conversation that was left. Exit 0: it ended; 3: the person left and may go on. */
export const runSkill = async (
  cli: Cli,
  world: World,
  workspace: string,
  name: string | null,
  argument: string,
  options: RunOptions,
): Promise<number> => {
  const { disk, clock, random, spawn } = world;
  const ports: TalkPorts = { disk, clock, random, spawn, workspace };
  const journal =
    options.continue === undefined
      ? begun(cli, ports, name ?? '', argument)
      : goneOn(ports, options.continue, name);
  try {
    const { settings } = loadConfiguration(cli, world, { workspace, attended: cli.hasScreen });
    const io = talkInLines(cli, options.json ? cli.note : cli.print);
    const form = forms[journal.talk().skill];
    if (form === undefined) throw usage(`the skill ${safe(journal.talk().skill)} needs an agent`);
    const end = await form({ cli, world, workspace, settings, journal, io });
    return report(cli, journal, end, options.json === true);
  } finally {
    journal.close();
  }
};

const begun = (cli: Cli, ports: TalkPorts, skill: string, argument: string): TalkJournal => {
  if (forms[skill] === undefined)
    throw usage(
      `there is no skill ${safe(skill)} to talk with`,
      `known are ${Object.keys(forms).join(' and ')}`,
    );
  if (cli.stdin.isTTY !== true && cli.stdin.readableEnded) throw usage('nobody can answer: stdin is closed');
  const journal = startTalk(ports);
  journal.add({
    type: 'started',
    skill,
    argument,
    mode: 'form',
    agent: null,
    at: formatTimestamp(ports.clock),
  });
  return journal;
};

const goneOn = (ports: TalkPorts, which: string | true, name: string | null): TalkJournal => {
  const left = storedTalks(ports).filter(
    ({ id, talk }) =>
      talk.ended !== 'done' &&
      talk.skill !== '' &&
      (which === true || id === which) &&
      (name === null || talk.skill === name),
  );
  const found = left.findLast(({ pid }) => pid === null) ?? left.at(-1);
  if (found === undefined)
    throw usage(
      which === true ? 'no conversation waits here' : `no conversation ${safe(which)} waits here`,
      'start one with `ralph-tui skill draft-idea`',
      'nothing-found',
    );
  const opened = openTalk(ports, found.id);
  if ('add' in opened) return opened;
  throw failure(opened);
};

const report = (cli: Cli, journal: TalkJournal, { ended, lines }: SkillEnd, json: boolean): number => {
  const { kept, made, skill } = journal.talk();
  if (json) cli.printJson({ conversation: journal.id, skill, ended, kept, made });
  else if (ended === 'left') cli.print(`\nLeft; go on with: ralph-tui skill --continue ${journal.id}`);
  else for (const line of lines) cli.print(line);
  return ended === 'left' ? exitCodes.waits : exitCodes.done;
};
