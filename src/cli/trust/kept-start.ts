import { sha256 } from '../../base/hash.io.ts';
import { scanJournal } from '../../observability/journal-file.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Settings } from '../../session/settings.ts';
import { roleSchema } from '../../signals/signal.ts';
import { type Flags, flagWords } from '../options.ts';
import type { World } from '../world.ts';
import { type Subject, sessionName } from './trust-subjects.ts';

/**
 * The flags of the session's last start, from its journal: a resume keeps them. An agent could have written them there, so they count only while
 * they are those that `startName` remembers outside the workspace, or after a yes.
 */
export const keptFlags = (world: World, paths: SessionPaths, state: SessionState | null): Flags => {
  if (state !== null) return state.startFlags;
  let flags: Flags = {};
  scanJournal(world.disk, paths.journal, 0, (events) => {
    for (const event of events) if (event.type === 'session.started') flags = event.flags ?? flags;
  });
  return flags;
};

/** The name under which the flags of a start are remembered outside the workspace, and their text. */
export const startName = (session: string): string => `the start of ${sessionName(session)}`;
export const startText = (session: string, { agent, permissions, atEnd, on, watch }: Flags): string =>
  JSON.stringify([
    session,
    agent ?? null,
    permissions ?? null,
    atEnd ?? null,
    ...(on === undefined ? [] : [on]),
    ...(watch === true ? ['watch'] : []),
  ]);

/** What a resume keeps of the last start and would ask about, unless this program wrote it. `null`: this command states everything itself. */
export const startSubject = (session: string, kept: Flags, own: Flags): Subject | null => {
  const words = flagWords({ ...kept, ...own });
  const isSaidAnew = words.join(' ') === flagWords(own).join(' ');
  if (isSaidAnew) return null;
  return {
    name: startName(session),
    sha256: sha256(startText(session, kept)),
    would: `would continue with \`${flagWords(kept).join(' ')}\``,
    lines: [flagWords(kept).join(' ')],
  };
};

type Chosen = Pick<Settings, 'roles' | 'permissions'>;

/** What the configuration of now would change about who works, and what agents may do without asking. `null`: nothing that this command does not say itself. */
export const changeSubject = (session: string, before: Chosen, now: Chosen, own: Flags): Subject | null => {
  const roles = roleSchema.options.flatMap((name) => {
    const [old, fresh] = [roleIn(before, name), roleIn(now, name)];
    return own.agent !== undefined || old === fresh ? [] : [{ name, old, fresh }];
  });
  const changes = [
    ...roles.map(({ name, old, fresh }) => `${name.toLowerCase()} from ${old} to ${fresh}`),
    ...(own.permissions === undefined && before.permissions !== now.permissions
      ? [`permissions from ${before.permissions} to ${now.permissions}`]
      : []),
  ];
  if (changes.length === 0) return null;
  const [first] = roles;
  const isOne = first !== undefined && roles.every(({ old }) => old === first.old);
  return {
    name: `the configuration of ${sessionName(session)}`,
    sha256: sha256(JSON.stringify([session, changes])),
    would: `would change ${changes.join(', ')}${isOne ? ` (\`--agent ${first.old}\` keeps it)` : ''}`,
    lines: changes,
  };
};

const roleIn = ({ roles }: Chosen, name: string): string =>
  roles[name.toLowerCase()] ?? roles[name] ?? 'script';
