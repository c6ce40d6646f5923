import { join } from 'node:path';
import { acpPorts } from '../../agents/backends/acp/create-acp-backend.ts';
import type { AgentProfile } from '../../agents/backends/acp/profile.ts';
import { createTalkAgent, type TalkAgent } from '../../agents/backends/acp/talk-agent.ts';
import { markerOf } from '../../agents/marker.ts';
import { decidePermission } from '../../agents/permissions.ts';
import type { BackendHost, Brief } from '../../agents/port.ts';
import { formatTimestamp } from '../../base/clock.ts';
import { readText } from '../../base/replace-file.ts';
import type { Settings } from '../../session/settings.ts';
import { firstPrompt } from '../../skills/agent/prompts.ts';
import type { HasLine } from '../../skills/documents/check-document.ts';
import { documentNamed } from '../../skills/documents/document-schema.ts';
import { openPhase } from '../../skills/documents/plan-boxes.ts';
import type { FoundSkill } from '../../skills/find-skills.ts';
import type { Skill } from '../../skills/skill.ts';
import type { Talk } from '../../skills/talk/talk.ts';
import { version } from '../version.ts';
import { keepDocument } from './keep-document.ts';
import { type Material, materialOf } from './skill-material.ts';
import type { SkillEnd, SkillRun } from './skill-run.ts';
import { permissionQuestion } from './talk-permission.ts';
import { talkWithAgent } from './talk-with-agent.ts';

/** A skill that a person works on with an agent. */
export const agentSkill = async (
  run: SkillRun,
  found: FoundSkill,
  skill: Skill,
  profile: AgentProfile,
): Promise<SkillEnd> => {
  const { world, journal } = run;
  const material = await materialOf(run, skill);
  const brief = briefOf(run, skill);
  const agent = openAgent(run, withVariables(profile, skill, run.cli.env), brief);
  // An agent that does not end its reply is ended itself.
  run.io.left.addEventListener('abort', () => void agent.cancel().then(() => agent.end()));
  const document = documentNamed(skill.metadata['document']);
  const nonce = world.random.hex(8);
  const byPhase = skill.metadata['phases'] === 'by-person';
  try {
    return await talkWithAgent(run, {
      agent,
      label: profile.label,
      document,
      hasLine: linesOf(run),
      nonce,
      byPhase,
      first: () =>
        firstPrompt({
          skill,
          argument: argumentOf(journal.talk(), byPhase),
          document,
          date: formatTimestamp(world.clock).slice(0, 10),
          author: run.cli.env['USER'] ?? '',
          references: found.files
            .filter(({ path }) => path.startsWith('references/'))
            .map(({ path }) => join(found.folder, path)),
          material,
          nonce,
        }),
      keep: () => (document === null ? Promise.resolve([]) : keepDocument(run, document)),
    });
  } finally {
    await agent.end();
    await world.spawn.stopMarked([markerOf(brief)], run.settings.timeouts.abort_grace);
  }
};

export type { Material };

/** What was asked for; for a plan that is carried out also where to begin. */
const argumentOf = ({ argument, document }: Talk, byPhase: boolean): string =>
  byPhase ? `${argument}; begin at ${openPhase(document) ?? 'the end: every box is ticked'}` : argument;

const briefOf = ({ workspace, journal, settings }: SkillRun, skill: Skill): Brief => ({
  invocation: 'Executor-1',
  role: 'Executor',
  mode: 'IMPLEMENT',
  session: journal.id,
  iteration: 1,
  cycle: 1,
  goal: skill.name,
  workspace,
  sessionDirectory: journal.directory,
  tasks: [],
  messages: [],
  settings: withModel(settings, skill.model),
});

/** The model that the person set for the Executor counts before the one that a skill asks for. */
const withModel = (settings: Settings, model: string | null): Settings =>
  model === null || settings.models.executor !== undefined
    ? settings
    : { ...settings, models: { ...settings.models, executor: model } };

/** The skill's variables; `${RALPH_…}` stands for the person's own. */
const withVariables = (
  profile: AgentProfile,
  { env }: Skill,
  own: Readonly<Record<string, string | undefined>>,
): AgentProfile => ({
  ...profile,
  env: {
    ...Object.fromEntries(
      Object.entries(env).map(([name, value]) => [
        name,
        value.replace(/\$\{?(RALPH_\w+)\}?/g, (_, variable: string) => own[variable] ?? ''),
      ]),
    ),
    ...profile.env,
  },
});

const openAgent = (run: SkillRun, profile: AgentProfile, brief: Brief): TalkAgent => {
  const { cli, world, journal, io } = run;
  let cost = 0;
  const host: BackendHost = {
    output: () => {},
    emit: (fact) => {
      if (fact.type === 'tool.started')
        journal.add({ type: 'tool', id: fact.call, title: fact.title, status: 'running' });
      if (fact.type === 'tool.ended')
        journal.add({
          type: 'tool',
          id: fact.call,
          title: fact.title ?? titleOf(run, fact.call),
          status: fact.refused ? 'refused' : fact.ok ? 'done' : 'failed',
        });
      if (fact.type === 'finding.noted') journal.add({ type: 'said', by: 'program', text: fact.text });
      if (fact.type === 'reply.ended' && fact.tokens)
        journal.add({ type: 'spent', ...fact.tokens, cost: null });
      if (fact.type === 'agent.usage-reported' && fact.cost && fact.cost.amount > cost) {
        journal.add({ type: 'spent', input: 0, output: 0, cost: fact.cost.amount - cost });
        cost = fact.cost.amount;
      }
      io.show(journal.talk());
    },
    permission: async (ask, over) => {
      const { kind, inside, ours } = ask;
      const { decision } = decidePermission({
        preset: run.settings.permissions,
        role: 'Executor',
        kind,
        inside,
        ours,
      });
      return decision === 'ask' ? permissionQuestion(run, ask, over) : decision;
    },
  };
  const deps = { ...world, env: cli.env, version };
  return createTalkAgent(acpPorts(deps, profile, brief, host), async ({ question, options }) => {
    // A number is an answer of its own where no choices are named.
    const isFree = options.every((each) => each === 'skip' || each === 'decline');
    const asked = {
      id: `form-${journal.talk().turns.length}`,
      kind: 'words' as const,
      text: question,
      help: isFree ? `Or answer ${options.join(' or ')}.` : '',
      options: isFree ? [] : options.map((label) => ({ id: label, label, detail: '' })),
      offered: '',
      optional: false,
    };
    journal.add({ type: 'asked', question: asked });
    const answer = await io.ask(asked, journal.talk());
    if (answer !== null) journal.add({ type: 'answered', id: asked.id, answer });
    return answer;
  });
};

const titleOf = ({ journal }: SkillRun, call: string): string => {
  const turn = journal.talk().turns.findLast((each) => each.type === 'tool' && each.id === call);
  return turn?.type === 'tool' ? turn.title : call;
};

/** Whether a file of the workspace has a line. Paths that lead out of it have none. */
const linesOf = ({ world, workspace }: SkillRun): HasLine => {
  const lengths = new Map<string, number>();
  return (path, line) => {
    if (path.startsWith('/') || path.split('/').includes('..')) return false;
    let length = lengths.get(path);
    if (length === undefined) {
      length = lengthOf(() => readText(world.disk, join(workspace, path)));
      lengths.set(path, length);
    }
    return line >= 1 && line <= length;
  };
};

const lengthOf = (read: () => string | null): number => {
  try {
    const text = read();
    return text === null ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  } catch {
    // A directory, a link or a file that is too large has no lines to point at.
    return 0;
  }
};
