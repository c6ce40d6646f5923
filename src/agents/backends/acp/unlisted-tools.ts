import type { Clock } from '../../../base/clock.ts';
import type { Reach } from '../../agent-facts.ts';
import type { BackendHost } from '../../port.ts';
import type { AgentProfile } from '../../profiles/profile.ts';
import type { LiveSession } from './live-session.ts';
import type { WorkerTools } from './tool-calls.ts';

interface Ports {
  readonly clock: Clock;
  readonly host: Pick<BackendHost, 'emit'>;
  readonly profile: Pick<AgentProfile, 'label' | 'name'>;
}

/** Agents list our tools when they open their session; the slowest seen took 6 s. */
const listedWithinMs = 30_000;

/**
 * Reports, once, an agent that takes tools and never asked for the list of ours: its own settings may drop them, as Gemini CLI does in a folder that
 * it does not trust. Otherwise the agent would work unreached, and nobody would know. Its own forms and permissions need no tools of ours. The function
 * waits for a reply and looks meanwhile.
 */
export const createToolWatch = ({ clock, host, profile }: Ports, tools: Pick<WorkerTools, 'isUnlisted'>) => {
  let isSaid = false;
  const look = (reach: Reach): void => {
    if (isSaid || !tools.isUnlisted()) return;
    isSaid = true;
    const text = `${profile.label} has not connected to ralph-tui's tools, so it cannot use them ${usesOf(reach)}; its own settings or folder trust may block MCP servers: \`ralph-tui doctor --verify ${profile.name}\` tests the connection`;
    host.emit({ type: 'finding.noted', text });
  };
  return async <T>(
    { link, reach }: Pick<LiveSession, 'link' | 'reach'>,
    reply: () => Promise<T>,
  ): Promise<T> => {
    if (isSaid || !link.about.takesHttpTools) return reply();
    const cancel = clock.after(listedWithinMs, () => look(reach));
    try {
      const said = await reply();
      look(reach);
      return said;
    } finally {
      cancel();
    }
  };
};

/** What the agent would use our tools for. Some agents get messages another way. */
const usesOf = (reach: Reach): string =>
  reach === 'tool-result' || reach === 'cutting-steering'
    ? 'to ask you or to receive messages while it works'
    : 'to ask you';
