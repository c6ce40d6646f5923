import { acpPorts } from '../../agents/backends/acp/create-acp-backend.ts';
import type { ElicitPorts } from '../../agents/backends/acp/elicitation/elicit.ts';
import { createTalkAgent, type TalkAgent } from '../../agents/backends/acp/talk-agent.ts';
import { markerOf } from '../../agents/marker.ts';
import { askWords, decidePermission, forbiddenBy, type PermissionAsk } from '../../agents/permissions.ts';
import type { BackendHost, Brief } from '../../agents/port.ts';
import type { AgentProfile } from '../../agents/profiles/profile.ts';
import type { Settings } from '../../session/settings.ts';
import { notAllowedBy, sawNotAllowed } from '../../skills/agent/allowed-tools.ts';
import type { Skill } from '../../skills/skill.ts';
import { version } from '../version.ts';
import { createLiveReply } from './live-reply.ts';
import type { SkillRun } from './skill-run.ts';
import { formQuestions } from './talk-form.ts';
import { permissionQuestion } from './talk-permission.ts';

/**
 * Opens an agent for a conversation in a directory, and `use`s it. The conversation shows its replies as they arrive, and holds their words when `say`
 * resolves. It has ended, with all that it started, when this resolves.
 */
export const withAgent = async <T>(
  run: SkillRun,
  of: { readonly skill: Skill; readonly profile: AgentProfile; readonly directory: string },
  use: (agent: TalkAgent) => Promise<T>,
): Promise<T> => {
  const { skill, profile, directory } = of;
  const brief = briefOf(run, skill, directory);
  const agent = openAgent(run, skill, withVariables(profile, skill, run.cli.env), brief);
  // An agent that does not end its reply is ended itself.
  const leave = (): void => void agent.cancel().then(() => agent.end());
  run.io.left.addEventListener('abort', leave);
  try {
    return await use(agent);
  } finally {
    run.io.left.removeEventListener('abort', leave);
    await agent.end();
    await run.world.spawn.stopMarked([markerOf(brief)], run.settings.timeouts.abort_grace);
  }
};

const briefOf = ({ journal, settings }: SkillRun, skill: Skill, workspace: string): Brief => ({
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

const openAgent = (run: SkillRun, skill: Skill, profile: AgentProfile, brief: Brief): TalkAgent => {
  const { cli, world, journal } = run;
  const live = createLiveReply(run);
  let cost = 0;
  /** Calls that the person or the preset allowed. */
  const allowed = new Set<string>();
  const host: BackendHost = {
    output: live.take,
    emit: (fact) => {
      if (fact.type === 'tool.started') {
        live.pause();
        journal.add({ type: 'tool', id: fact.call, title: fact.title, status: 'running' });
      }
      if (fact.type === 'tool.ended') {
        journal.add({
          type: 'tool',
          id: fact.call,
          title: fact.title ?? titleOf(run, fact.call),
          status: fact.refused ? 'refused' : fact.ok ? 'done' : 'failed',
        });
      }
      if (fact.type === 'finding.noted') journal.add({ type: 'said', by: 'program', text: fact.text });
      if (fact.type === 'reply.ended' && fact.tokens)
        journal.add({ type: 'spent', ...fact.tokens, cost: null });
      if (fact.type === 'agent.usage-reported' && fact.cost && fact.cost.amount > cost) {
        journal.add({ type: 'spent', input: 0, output: 0, cost: fact.cost.amount - cost });
        cost = fact.cost.amount;
      }
      live.show();
    },
    permission: async (ask, over) => {
      live.pause();
      const { kind, inside, ours } = ask;
      const why = ours
        ? null
        : (forbiddenBy(run.guidance, ask, ask.root) ?? notAllowedBy(skill.allowedTools, ask));
      const { decision } = decidePermission({
        preset: run.settings.permissions,
        role: 'Executor',
        kind,
        inside,
        ours,
        forbidden: why,
      });
      if (why !== null)
        journal.add({ type: 'said', by: 'program', text: `Refused: ${askWords(ask)}; ${why}.` });
      const answer = decision === 'ask' ? await permissionQuestion(run, ask, over) : decision;
      if (answer === 'allow') allowed.add(ask.call);
      return answer;
    },
  };
  const deps = { ...world, env: cli.env, version };
  const ended = (call: PermissionAsk): void => {
    if (call.ours || allowed.has(call.call)) return;
    const why = forbiddenBy(run.guidance, call, call.root) ?? sawNotAllowed(skill.allowedTools, call);
    if (why === null) return;
    const text = `The agent did not ask for this: ${askWords(call)} (${why}). Review what it changed.`;
    journal.add({ type: 'overstepped', text });
  };
  const form = (over: AbortSignal): ElicitPorts => {
    live.pause();
    return formQuestions(run, over);
  };
  const agent = createTalkAgent(acpPorts(deps, profile, brief, host), form, ended);
  return { ...agent, say: (words) => agent.say(words).finally(live.end) };
};

const titleOf = ({ journal }: SkillRun, call: string): string => {
  const turn = journal.talk().turns.findLast((each) => each.type === 'tool' && each.id === call);
  return turn?.type === 'tool' ? turn.title : call;
};
