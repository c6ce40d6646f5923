import { formatTimestamp } from '../../base/clock.ts';
import { createRedact } from '../../base/redact.ts';
import { safe, visibleLines } from '../../base/safe.ts';
import type { StoredTalk, TalkJournal } from '../../skills/talk/talk-journal.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { recallTrust, rememberTrust } from './trust-memory.ts';
import type { Subject } from './trust-subjects.ts';

const nameOf = (id: string): string => `conversation ${id}`;

/**
 * A conversation whose every state this program vouches for, outside of the workspace: a repository can bring a journal, and an agent can write into one.
 * A tool call alone is not vouched for by itself, because it is followed by other entries.
 */
export const vouchedJournal = (
  env: Cli['env'],
  world: World,
  workspace: string,
  journal: TalkJournal,
): TalkJournal => ({
  ...journal,
  add: (entry) => {
    journal.add(entry);
    if (entry.type === 'tool') return;
    const at = formatTimestamp(world.clock);
    rememberTrust(env, world, { workspace, name: nameOf(journal.id), sha256: journal.digest(), at });
  },
});

/** Whether the journal of a conversation is as this program left it, or as a person accepted it. */
export const isVouchedTalk = (
  env: Cli['env'],
  world: World,
  workspace: string,
  { id, digest }: StoredTalk,
): boolean => recallTrust(env, world, workspace, nameOf(id))?.sha256 === digest;

const redact = createRedact();

/** A conversation as a question of trust, with all that an agent would be told of it. */
export const talkSubject = ({ id, digest, talk }: StoredTalk): Subject => ({
  name: nameOf(id),
  sha256: digest,
  would: 'would be continued with words that this program did not write',
  lines: [
    safe(`skill ${talk.skill} ${talk.argument}`.trim()),
    ...(talk.about === null ? [] : [safe(`about ${talk.about.path}`)]),
    ...(talk.placed?.branch ? [safe(`work on the branch ${talk.placed.branch}`)] : []),
    ...talk.turns.flatMap((turn) =>
      turn.type === 'said' ? visibleLines(redact(`${turn.by}: ${turn.text}`)) : [],
    ),
    ...(talk.document === '' ? [] : ['── the document', ...visibleLines(redact(talk.document))]),
  ],
});
