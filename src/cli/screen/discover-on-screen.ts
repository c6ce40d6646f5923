import { join } from 'node:path';
import type { Store } from '../../../components/create-store.ts';
import type { TrustedIntent } from '../../../components/ports/start-intent.ts';
import { usableAgents } from '../../../components/start/start-list.ts';
import { safe } from '../../base/safe.ts';
import { severities } from '../../discovery/records/finding.ts';
import { acceptCritical, criticalLine, startDiscovery } from '../discovery/start-discovery.ts';
import type { StartRequest } from '../host/start-request.ts';
import { type ScreenSessions, workspaceOf } from './screen-sessions.ts';
import type { ShownSession } from './shown-session.ts';

/**
 * Looks at the workspace beside the start screen, once for each workspace. Without an agent that takes a goal nothing is looked at before a
 * start needs it.
 */
export const discoverBesideStart = (sessions: ScreenSessions, target: ShownSession): void => {
  const top = target.store.getState().ui.overlays.at(-1);
  if (top?.kind !== 'start' || usableAgents(top.offers).length === 0) return;
  // The first frame comes first.
  sessions.world.clock.after(0, () => {
    if (!sessions.leaving.signal.aborted) discoveryOf(sessions, target);
  });
};

/** The discovery of the target's workspace, begun now if there is none. `null` where it is switched off. */
const discoveryOf = (sessions: ScreenSessions, target: ShownSession) => {
  const { cli, world, leaving } = sessions;
  const workspace = workspaceOf(sessions, target);
  if (sessions.discovery?.workspace === workspace) return sessions.discovery.running;
  const sentences: string[] = [];
  const running = startDiscovery(cli, world, workspace, (sentence) => {
    sentences.push(sentence);
    tell(target.store, sentences.join(' · '));
  });
  sessions.discovery = { workspace, running };
  void running?.found.then((found) => {
    if (found !== null && sessions.discovery?.running === running) tell(target.store, summaryOf(found));
  });
  leaving.signal.addEventListener('abort', () => void running?.stop());
  return running;
};

const tell = (store: Store, sentence: string): void => store.act({ type: 'discovered', sentence });

/** `Found here: 1 critical, 2 high; {start.guidance} shows them` */
const summaryOf = (counts: ReadonlyMap<string, number>): string => {
  const parts = severities.flatMap((severity) => {
    const count = counts.get(severity) ?? 0;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  return parts.length === 0
    ? 'No risks found here'
    : `Found here: ${parts.join(', ')}; {start.guidance} shows them`;
};

/**
 * True when no critical finding is open, or a person starts despite them, which is recorded. Otherwise opens the question. Waits for the
 * scanner, and looks again after the question was asked: a person may have fixed the cause.
 */
export const askCriticalOnScreen = async (
  sessions: ScreenSessions,
  target: ShownSession,
  intent: Extract<TrustedIntent, { readonly type: 'start' }>,
  { workspace, discovers }: Pick<StartRequest, 'workspace' | 'discovers'>,
): Promise<boolean> => {
  if (!discovers) return true;
  const running = discoveryOf(sessions, target);
  const critical = (await running?.critical) ?? [];
  if (critical.length === 0) return true;
  if (intent.despite) {
    acceptCritical(sessions.cli, sessions.world, workspace, critical);
    return true;
  }
  if (sessions.discovery?.isAsked) {
    await running?.stop();
    sessions.discovery = null;
    return askCriticalOnScreen(sessions, target, intent, { workspace, discovers });
  }
  sessions.discovery = { workspace, running, isAsked: true };
  target.store.act({
    type: 'overlay-opened',
    overlay: {
      kind: 'critical',
      findings: critical.map((finding) => ({
        line: criticalLine(finding),
        advice: safe(finding.recommendation),
        path: finding.file === null ? null : join(workspace, finding.file),
      })),
      cursor: 0,
      intent,
    },
  });
  return false;
};
