import { presetWords } from '../../src/agents/permissions.ts';
import { acpProfiles } from '../../src/agents/profiles/acp-profiles.ts';
import { memoise } from '../../src/base/memoise.ts';
import { safe } from '../../src/base/safe.ts';
import type { LiveAgent } from '../../src/pipeline/agents/live-agent.ts';
import type { Invocation, SessionState } from '../../src/pipeline/state.ts';
import type { DetailLine } from '../../src/words/detail-line.ts';
import { count } from '../../src/words/local-time.ts';
import { costWord } from '../../src/words/usage-words.ts';

/** The agents that work on a task, or where none is chosen all that work: model, mode, context, session, what they do unasked. */
export const selectAgents = (session: SessionState | null, task: string | null): readonly DetailLine[] =>
  session === null
    ? []
    : [...session.invocations.values()].flatMap((invocation) =>
        invocation.agent === null || (task !== null && invocation.task !== task)
          ? []
          : agentLines(session, invocation, invocation.agent),
      );

const profilesOf = memoise((agents: SessionState['settings']['agents']) => acpProfiles(agents));

const unenforced = ({ settings }: SessionState, backend: string): string | null => {
  const own = profilesOf(settings.agents).find(({ name }) => name === backend)?.unenforced ?? null;
  return own === null ? null : safe(own.replaceAll('`', ''));
};

const agentLines = (
  session: SessionState,
  { role, backend, insteadOf, runner }: Invocation,
  agent: LiveAgent,
): readonly DetailLine[] => {
  const named = [agent.label === '' ? backend : agent.label, agent.version ?? ''];
  const set = [
    agent.model === null ? '' : `model ${agent.model}`,
    agent.mode === null ? '' : `mode ${agent.mode}`,
  ];
  const who = [named.filter((word) => word !== '').join(' '), ...set].filter((word) => word !== '');
  const own = unenforced(session, backend);
  const preset = session.settings.permissions;
  return [
    { kind: 'heading', text: `Agent for the ${role}` },
    { kind: 'item', text: safe(who.join(' · ')) },
    ...(runner === null ? [] : [item(`works on the runner ${safe(runner)}`)]),
    ...(insteadOf === null ? [] : [item(`instead of ${safe(insteadOf)}, whose quota is used up`)]),
    ...contextLines(agent),
    ...(agent.session === null ? [] : [item(`its session ${safe(agent.session)}`)]),
    ...(agent.resumeCommand === null
      ? []
      : [item(`outside${runner === null ? '' : ', there'}: ${safe(agent.resumeCommand)}`)]),
    item(`${preset}: ${presetWords(preset)}`),
    ...(agent.withheld.length === 0
      ? []
      : [
          item(
            `not passed: ${safe(agent.withheld.join(', '))}; list ${agent.withheld.length === 1 ? 'it' : 'them'} in agents.${safe(backend)}.pass_env to pass ${agent.withheld.length === 1 ? 'it' : 'them'}`,
          ),
        ]),
    ...(own === null || preset === 'all' ? [] : [item(`also without asking: ${own}`)]),
  ];
};

const contextLines = ({ context, compactions, cost }: LiveAgent): readonly DetailLine[] => {
  if (context === null) return [];
  const share = context.size > 0 ? ` (${Math.round((context.used / context.size) * 100)}%)` : '';
  const parts = [
    `context ${grouped(context.used)} of ${grouped(context.size)} tokens${share}`,
    compactions > 0 ? `compacted ${count(compactions, 'time')}` : '',
    cost ? costWord(cost) : '',
  ];
  return [item(parts.filter((part) => part !== '').join(' · '))];
};

const grouped = (tokens: number): string => tokens.toLocaleString('en');

const item = (text: string): DetailLine => ({ kind: 'item', text });
