import type { Event } from '../../../src/pipeline/event.ts';
import type { SessionState, SignalLife } from '../../../src/pipeline/state.ts';
import { isComplete } from '../../../src/session/status.ts';
import type { MailboxEntry } from '../../../src/signals/mailbox.ts';
import { startsOf } from '../post.ts';
import type { CreateGuard, Scene, Sent } from './guard.ts';

/** Every signal that was published comes to exactly one end, in its file and in the journal alike, or still waits with the session for a person. */
export const guardSignals: CreateGuard = (scene) => ({
  end: (state) => {
    const { session, say, sent } = scene;
    const found = new Map<string, MailboxEntry[]>();
    for (const entry of session.mailbox().list())
      found.set(entry.id, [...(found.get(entry.id) ?? []), entry]);
    for (const [id, signal] of sent) {
      const name = `${signal.type} ${id.slice(0, 8)}`;
      // A power loss may bring back the file of what was taken back; whoever comes by removes it, and nobody acts on it.
      const places = (found.get(id) ?? []).filter(
        ({ stage }, _, all) => !(signal.withdrawn && stage === 'pending' && all.length === 2),
      );
      const [place] = places;
      if (!place || places.length > 1)
        say(`${name} lies in ${places.map(({ stage }) => stage).join(' and ') || 'no place at all'}`);
      else
        for (const problem of problemsOf(state, signal, place, state.signals.get(id), startsOf(session)))
          say(`${name} ${problem}`);
    }
    for (const problem of [...endedTwice(scene), ...decidedByNobody(scene, state)]) say(problem);
  },
});

const problemsOf = (
  state: SessionState,
  { type, iteration, afterEnd, withdrawn, withdrawnAfter }: Sent,
  { stage, handling }: MailboxEntry,
  life: SignalLife | undefined,
  starts: number,
): readonly string[] => {
  const open = stage === 'pending' || stage === 'claimed';
  if (withdrawn && handling?.outcome !== 'withdrawn')
    return [`was withdrawn, and is ${stage}: ${handling?.outcome}`];
  // What may wait for the next iteration, or for the person whom the session waits for. A file of nobody known waits until they confirm or withdraw it.
  const isAsked = life?.stage === 'pending' && life.unproven;
  const later =
    afterEnd || isAsked || type === 'RETRY' || type === 'CANCEL' || (iteration ?? 0) > state.iteration;
  if (open && (!isComplete(state) || later)) return [];
  if (open) return [`is still ${stage} at the end`];
  const ends = stage === 'rejected' ? ['rejected'] : ['handled', 'undelivered', 'withdrawn'];
  // A person may have taken it back before the program ever saw it.
  if (!life) return stage === 'processed' ? [] : ['was rejected, and the journal does not know it'];
  // Taken back when the program had stopped, or was about to: whoever goes on with the session finds that and records it.
  const unseen = withdrawnAfter !== null && withdrawnAfter === starts;
  if (withdrawn && life.stage === 'pending' && (!isComplete(state) || unseen)) return [];
  if (handling && (handling.outcome === 'undelivered') !== (life.stage === 'undelivered'))
    return [`is ${life.stage}, and its archive says ${handling.action_taken}`];
  return ends.includes(life.stage) ? [] : [`lies in ${stage}, and the journal says ${life.stage}`];
};

/** Where an agent works, a file that nobody is known to have written decides nothing (src/signals/README.md, rule 13). */
const decidedByNobody = ({ journal, sent }: Scene, { settings, mode }: SessionState): readonly string[] => {
  // The turns of a loop are reviewed by commands alone, whatever the roles say.
  const workers = Object.entries(settings.roles).filter(([role]) => mode !== 'loop' || role !== 'reviewer');
  if (workers.every(([, name]) => name === 'script')) return [];
  const deciding = new Set([
    'gate.decided',
    'task.reset',
    'task.cancelled',
    'settings.changed',
    'question.answered',
  ]);
  return [...journal()].flatMap((event) =>
    deciding.has(event.type) &&
    'signal' in event &&
    typeof event.signal === 'string' &&
    sent.get(event.signal)?.forged === true &&
    !(isClosedGate(event) && sent.get(event.signal)?.type === 'ABORT')
      ? [`${event.type} (event ${event.seq}) was caused by a file of nobody known`]
      : [],
  );
};

/** An ABORT needs no person, and closes the gate that was open. */
const isClosedGate = (event: Event): boolean => event.type === 'gate.decided' && event.decision === 'abort';

const endedTwice = ({ journal }: Scene): readonly string[] => {
  const ends = new Map<string, string[]>();
  for (const event of journal())
    if (
      event.type === 'signal.handled' ||
      event.type === 'signal.undelivered' ||
      event.type === 'signal.withdrawn' ||
      (event.type === 'signal.rejected' && event.id !== null)
    )
      ends.set(event.id ?? '', [...(ends.get(event.id ?? '') ?? []), `${event.type} (event ${event.seq})`]);
  return [...ends].flatMap(([id, all]) =>
    all.length > 1 ? [`signal ${id.slice(0, 8)} came to more than one end: ${all.join(', ')}`] : [],
  );
};

/** What is no signal is refused with a sentence beside it or left alone, and never lost: it may be what somebody wanted to say. */
export const guardScraps: CreateGuard = ({ session, say, scraps }) => ({
  end: () => {
    const rejected = session.disk.tree(`${session.paths.signals}/rejected`);
    const kept = rejected.filter((path) => !path.endsWith('.error.txt')).length;
    const reasons = rejected.filter((path) => path.endsWith('.error.txt')).length;
    const refused = session
      .mailbox()
      .list()
      .filter(({ stage }) => stage === 'rejected').length;
    if (kept < refused || reasons < refused)
      say(`${refused} files were refused, ${kept} kept, ${reasons} reasons given`);
    for (const { kind, path, fate } of scraps) {
      const stays = session.disk.lstat(path) !== null;
      const name =
        path
          .split('/')
          .at(-1)
          ?.replace(/\.ya?ml$/, '')
          .replaceAll('\u001b', '%1B') ?? '';
      const isRefused = rejected.some((each) => each.includes(name));
      if (fate === 'left' && !stays) say(`${kind}: ${name} was touched`);
      if (fate === 'refused' && !stays && !isRefused) say(`${kind}: ${name} is gone`);
    }
  },
});
