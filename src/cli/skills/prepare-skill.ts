import { formatTimestamp } from '../../base/clock.ts';
import { faultSentence, formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { type FoundSkill, findSkill, findSkills, refusedInFrontOf } from '../../skills/find-skills.ts';
import type { TalkIo } from '../../skills/talk/talk-io.ts';
import {
  openTalk,
  type StoredTalk,
  startTalk,
  storedTalks,
  type TalkJournal,
  type TalkPorts,
} from '../../skills/talk/talk-journal.ts';
import { type Cli, failure, usage } from '../cli.ts';
import { loadConfiguration } from '../settings/load-settings.ts';
import { isStartedByAgent } from '../started-by-agent.ts';
import { readGuidance } from '../trust/guidance-store.ts';
import { skillPlaces } from '../trust/own-skills.ts';
import { talkSubject, vouchedJournal } from '../trust/own-talks.ts';
import type { Subject } from '../trust/trust-subjects.ts';
import type { World } from '../world.ts';
import { agentSkill } from './agent-skill.ts';
import { createAskPerson } from './ask-person.ts';
import { chooseAgent, skillSubjects } from './choose-agent.ts';
import { draftIdea } from './draft-idea.ts';
import { formIdea } from './form-idea.ts';
import type { SkillEnd, SkillRun } from './skill-run.ts';

/** What a person asked for. */
interface WantedSkill {
  /** `null`: whatever conversation is continued. */
  readonly name: string | null;
  readonly argument: string;
  /** A conversation to continue; `true`: the newest that was left. Absent: a new one. */
  readonly continue?: string | true | undefined;
  readonly agent?: string | undefined;
  readonly permissions?: string | undefined;
}

/** A conversation before anything of it began. */
interface PreparedSkill {
  /** The agent for people; '' for a form. */
  readonly label: string;
  /** What the repository gives to it: nothing begins before a person agreed. */
  readonly subjects: readonly Subject[];
  /** What the person should know at the start, of the agent and of a skill that is not used, one sentence per line; may be ''. */
  readonly notice: string;
  /** Opens its journal, which `close` gives back. `work` converses. */
  readonly begin: () => {
    readonly journal: TalkJournal;
    readonly work: (io: TalkIo) => Promise<SkillEnd>;
  };
}

/** The skills that work without a model, as forms. */
const forms: Readonly<Record<string, (run: SkillRun) => Promise<SkillEnd>>> = {
  'draft-idea': draftIdea,
  'form-idea': formIdea,
};

/** Finds the skill, its agent and what a person has to agree to. Throws a usage error where it cannot begin. */
export const prepareSkill = (
  cli: Cli,
  world: World,
  workspace: string,
  wanted: WantedSkill,
): PreparedSkill => {
  if (isStartedByAgent(cli.env))
    throw usage(
      'only a person can work with a skill, but this command was started by an agent or by a command running in a session',
    );
  const { disk, clock, random, spawn } = world;
  const ports: TalkPorts = { disk, clock, random, spawn, workspace };
  const { settings, layers } = loadConfiguration(cli, world, {
    workspace,
    attended: cli.hasPerson,
    flags: { permissions: wanted.permissions },
  });
  const left = wanted.continue === undefined ? null : leftTalk(ports, wanted.continue, wanted.name);
  const skill = skillNamed(cli, world, workspace, left?.talk.skill ?? wanted.name ?? '');
  const isForm =
    left === null ? forms[skill.name] !== undefined && wanted.agent === undefined : left.talk.mode === 'form';
  const profile = isForm
    ? null
    : chooseAgent(cli, world, workspace, settings, wanted.agent ?? left?.talk.agent ?? null);
  const agent = profile?.name ?? null;
  const label = profile?.label ?? '';
  return {
    label,
    subjects: [
      ...skillSubjects(world, workspace, settings, { skill, agent, layers }),
      // One that is open elsewhere is refused when it is opened.
      ...(left === null || left.pid !== null ? [] : [talkSubject(left)]),
    ],
    notice: [
      ...refusedBefore(cli, world, workspace, skill),
      ...(profile === null
        ? []
        : [
            `${safe(label)} works with you; permissions: ${settings.permissions}. You can leave and continue later.`,
          ]),
    ].join('\n'),
    begin: () => {
      const bare = left === null ? startTalk(ports) : opened(ports, left);
      const journal = vouchedJournal(cli.env, world, workspace, bare);
      const mode = profile === null ? 'form' : 'agent';
      const { argument } = wanted;
      if (left === null)
        journal.add({
          type: 'started',
          skill: skill.name,
          argument,
          mode,
          agent,
          at: formatTimestamp(clock),
        });
      // Read after the person agreed: what was not accepted does not count.
      const { value: guidance, problems } = readGuidance(cli, world, workspace);
      for (const problem of problems)
        journal.add({ type: 'said', by: 'program', text: safe(formatFault(problem)) });
      return {
        journal,
        work: (io) => {
          const ask = createAskPerson(journal, io);
          const run: SkillRun = { cli, world, workspace, settings, guidance, journal, io, ask };
          return profile === null || skill.skill === null
            ? (forms[skill.name] ?? draftIdea)(run)
            : agentSkill(run, skill, skill.skill, profile);
        },
      };
    },
  };
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
  throw usage(
    `no skill named ${safe(name)} can hold a conversation`,
    `known: ${[...new Set(known)].join(', ')}`,
  );
};

/** Skills of the same name in stronger places that are refused, as sentences: the person may have meant one of them. */
const refusedBefore = (cli: Cli, world: World, workspace: string, skill: FoundSkill): readonly string[] =>
  refusedInFrontOf(findSkills(world.disk, skillPlaces(cli.env, workspace)), skill).flatMap((each) => {
    const problem = each.problems.find(({ severity }) => severity === 'error');
    const instead = skill.origin === 'ours' ? 'the one that ships with ralph-tui' : skill.shown;
    return problem === undefined
      ? []
      : [`${safe(each.shown)} is not used: ${safe(faultSentence(problem))} Used instead: ${safe(instead)}.`];
  });

const leftTalk = (ports: TalkPorts, which: string | true, name: string | null): StoredTalk => {
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
      which === true ? 'no conversation is waiting here' : `no conversation ${safe(which)} is waiting here`,
      'start one with `ralph-tui skill draft-idea`',
      'nothing-found',
    );
  return found;
};

const opened = (ports: TalkPorts, { id, digest }: StoredTalk): TalkJournal => {
  const journal = openTalk(ports, id);
  if (!('add' in journal)) throw failure(journal);
  if (journal.digest() === digest) return journal;
  journal.close();
  throw failure({
    code: 'talk-changed',
    what: `the conversation ${id} has just changed`,
    hint: 'try again',
  });
};
