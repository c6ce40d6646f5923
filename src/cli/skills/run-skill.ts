import { formatTimestamp } from '../../base/clock.ts';
import { formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { type FoundSkill, findSkill, findSkills } from '../../skills/find-skills.ts';
import type { TalkIo } from '../../skills/talk/talk-io.ts';
import {
  openTalk,
  startTalk,
  storedTalks,
  type TalkJournal,
  type TalkPorts,
} from '../../skills/talk/talk-journal.ts';
import { type Cli, Exit, exitCodes, failure, usage } from '../cli.ts';
import { loadConfiguration } from '../session/load-settings.ts';
import { consentOf } from '../trust/ask-trust.ts';
import { skillPlaces } from '../trust/own-skills.ts';
import type { World } from '../world.ts';
import { agentSkill } from './agent-skill.ts';
import { agreeToSkill, chooseAgent } from './choose-agent.ts';
import { draftIdea } from './draft-idea.ts';
import { formIdea } from './form-idea.ts';
import type { SkillEnd, SkillRun } from './skill-run.ts';
import { talkInLines } from './talk-in-lines.ts';

export interface RunOptions {
  readonly json?: boolean;
  /** `true`: the newest conversation that was left. */
  readonly continue?: string | true;
  readonly agent?: string;
  readonly permissions?: string;
  readonly yes?: boolean;
  /** Opens the screen of a conversation; absent: it goes line by line. */
  readonly openScreen?: (label: string) => { readonly io: TalkIo; readonly close: () => Promise<void> };
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
  if (cli.env['RALPH_RUN'] !== undefined)
    throw usage(
      'a person works with a skill, and this command was started by an agent or a command of a session',
    );
  const { disk, clock, random, spawn } = world;
  const ports: TalkPorts = { disk, clock, random, spawn, workspace };
  const { settings, layers } = loadConfiguration(cli, world, {
    workspace,
    attended: cli.hasScreen,
    flags: { permissions: options.permissions },
  });
  const left = options.continue === undefined ? null : leftTalk(ports, options.continue, name);
  const skill = skillNamed(cli, world, workspace, left?.talk.skill ?? name ?? '');
  const isForm =
    left === null
      ? forms[skill.name] !== undefined && options.agent === undefined
      : left.talk.mode === 'form';
  const wanted = options.agent ?? left?.talk.agent ?? null;
  const profile = isForm ? null : chooseAgent(cli, world, workspace, settings, wanted);
  const consent = consentOf(cli, 'plain', { yes: options.yes === true, headless: options.json === true });
  const agreed = await agreeToSkill(cli, world, workspace, settings, {
    skill,
    agent: profile?.name ?? null,
    layers,
    consent,
  });
  if (!agreed) throw new Exit(exitCodes.waits, { code: 'not-agreed', what: 'nothing was started' });
  const journal = left === null ? startTalk(ports) : opened(ports, left.id);
  try {
    const agent = profile?.name ?? null;
    const mode = profile === null ? 'form' : 'agent';
    if (left === null)
      journal.add({ type: 'started', skill: skill.name, argument, mode, agent, at: formatTimestamp(clock) });
    const label = profile?.label ?? '';
    if (profile !== null)
      cli.note(
        `${safe(label)} works with you; permissions: ${settings.permissions}. You may leave and go on later.`,
      );
    const { io, close } =
      options.openScreen?.(label) ?? talkInLines(cli, options.json ? cli.note : cli.print);
    const run: SkillRun = { cli, world, workspace, settings, journal, io };
    const working =
      profile === null || skill.skill === null
        ? (forms[skill.name] ?? draftIdea)(run)
        : agentSkill(run, skill, skill.skill, profile);
    const end = await working.finally(close);
    return report(cli, journal, end, options.json === true);
  } finally {
    journal.close();
  }
};

/** The skill of this name that talks with a person. */
const skillNamed = (cli: Cli, world: World, workspace: string, name: string): FoundSkill => {
  const places = skillPlaces(cli.env, workspace);
  const found = findSkill(world.disk, places, name);
  if (found !== null && found.skill?.context === 'inline') return found;
  const all = findSkills(world.disk, places);
  const refused = found === null ? all.find((each) => each.name === name) : undefined;
  const [problem] = refused?.problems.filter(({ severity }) => severity === 'error') ?? [];
  if (refused !== undefined && problem !== undefined)
    throw usage(
      `${safe(refused.shown)} is not used: ${safe(formatFault(problem))}`,
      `see \`ralph-tui skill show ${safe(name)}\``,
      'skill-refused',
    );
  const known = all.flatMap(({ name: each, skill }) => (skill?.context === 'inline' ? [each] : []));
  throw usage(`there is no skill ${safe(name)} to talk with`, `known are ${[...new Set(known)].join(', ')}`);
};

const leftTalk = (ports: TalkPorts, which: string | true, name: string | null) => {
  const all = storedTalks(ports).filter(
    ({ id, talk }) =>
      talk.ended !== 'done' &&
      talk.skill !== '' &&
      (which === true || id === which) &&
      (name === null || talk.skill === name),
  );
  const found = all.findLast(({ pid }) => pid === null) ?? all.at(-1);
  if (found === undefined)
    throw usage(
      which === true ? 'no conversation waits here' : `no conversation ${safe(which)} waits here`,
      'start one with `ralph-tui skill draft-idea`',
      'nothing-found',
    );
  return found;
};

const opened = (ports: TalkPorts, id: string): TalkJournal => {
  const journal = openTalk(ports, id);
  if ('add' in journal) return journal;
  throw failure(journal);
};

const report = (cli: Cli, journal: TalkJournal, { ended, lines }: SkillEnd, json: boolean): number => {
  const { kept, made, skill, spent, problems } = journal.talk();
  if (json) cli.printJson({ conversation: journal.id, skill, ended, kept, problems, made, spent });
  else {
    if (ended === 'left') cli.print(`\nLeft; go on with: ralph-tui skill --continue ${journal.id}`);
    for (const line of lines) cli.print(line);
    if (spent.input + spent.output > 0) cli.print(spentWords(spent));
  }
  return ended === 'left' ? exitCodes.waits : exitCodes.done;
};

/** `Tokens: 1,200 in, 300 out; $0.02` */
const spentWords = ({ input, output, cost }: ReturnType<TalkJournal['talk']>['spent']): string => {
  const count = (tokens: number): string => tokens.toLocaleString('en-US');
  return `Tokens: ${count(input)} in, ${count(output)} out${cost === null ? '' : `; $${cost.toFixed(2)}`}`;
};
