import type { Clock } from '../../../base/clock.ts';
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
 * it does not trust. Otherwise the agent would work unreached, and nobody would know. The function waits for a reply and looks meanwhile.
 */
export const createToolWatch = ({ clock, host, profile }: Ports, tools: Pick<WorkerTools, 'isUnlisted'>) => {
  let isSaid = false;
  const look = (): void => {
    if (isSaid || !tools.isUnlisted()) return;
    isSaid = true;
    const text = `${profile.label} has not connected to ralph-tui's tools, so it can neither ask you nor receive messages while it works; its own settings or folder trust may block MCP servers: \`ralph-tui doctor --verify ${profile.name}\` tests the connection`;
    host.emit({ type: 'finding.noted', text });
  };
  return async <T>({ link }: Pick<LiveSession, 'link'>, reply: () => Promise<T>): Promise<T> => {
    if (isSaid || !link.about.takesHttpTools) return reply();
    const cancel = clock.after(listedWithinMs, look);
    try {
      const said = await reply();
      look();
      return said;
    } finally {
      cancel();
    }
  };
};
