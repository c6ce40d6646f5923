import type { Notice } from '../../../components/view.ts';
import { formatFault, toFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { prepareSkill } from '../skills/prepare-skill.ts';
import { askTrustOnScreen, type TrustedSkill } from './ask-trust-on-screen.ts';
import { type ScreenSessions, workspaceOf } from './screen-sessions.ts';
import type { ShownSession } from './shown-session.ts';
import { createScreenTalk } from './talk-on-screen.ts';

/**
 * Opens a conversation over the session on the screen, after the person agreed to what the repository gives to it. The session keeps running below. Returns
 * the sentence why not, or `null`.
 */
export const converse = (
  sessions: ScreenSessions,
  from: ShownSession,
  intent: TrustedSkill,
): string | null => {
  const { cli, world } = sessions;
  if (sessions.talk !== null) return 'A conversation is already open';
  const workspace = workspaceOf(sessions, from);
  const { subjects, label, notice, begin } = prepareSkill(cli, world, workspace, {
    name: intent.name,
    argument: intent.argument,
    continue: intent.name === null ? true : undefined,
  });
  if (!askTrustOnScreen(sessions, from, intent, { workspace, subjects })) return null;
  const { journal, work } = begin();
  const { store } = from;
  const talk = createScreenTalk(store, label);
  if (notice !== '') journal.add({ type: 'said', by: 'program', text: notice });
  const tell = (text: string, tone: Notice['tone']): void =>
    store.act({ type: 'noticed', notice: { text, tone, stays: true } });
  const working = work(talk.io).then(
    ({ ended, lines }) => {
      const left = `Closed; continue it from the palette, or with: ralph-tui skill --continue ${journal.id}`;
      const isStopped = ended === 'left' && lines.length > 0;
      tell([...lines.map(safe), ...(ended === 'left' ? [left] : [])].join(' · '), isStopped ? 'bad' : 'info');
    },
    (error: unknown) => tell(safe(formatFault(toFault(error))), 'bad'),
  );
  const done = working.finally(() => {
    journal.close();
    sessions.talk = null;
    store.act({ type: 'talk-closed' });
  });
  sessions.talk = { answer: talk.answer, leave: talk.leave, done };
  return null;
};
