import { createStore } from '../../../components/create-store.ts';
import type { Event } from '../../pipeline/event.ts';
import { evolve } from '../../pipeline/evolve.ts';
import { type SectionName, type Seen, sections } from '../../serve/render/sections.tsx';
import type { SessionPaths } from '../../session/paths.ts';
import { eventsWithoutSecrets } from '../events-without-secrets.ts';
import { followJournal } from '../session/journal-feed.ts';
import { hostOf, readJournalOf } from '../session/open-session.ts';
import type { World } from '../world.ts';
import { drawOften } from './draw-often.ts';

/** A message to the pages of one session. */
export interface Sent {
  readonly event: SectionName | 'scope' | 'gone';
  readonly html: string;
  /** The newest event that it knows. */
  readonly seq: number;
}

/** One fold of a session for all who look at it. */
export interface SessionFeed {
  readonly paths: SessionPaths;
  readonly seen: () => Seen;
  /** Hears of every part that changes. `since`: the event that the page was drawn at; a page that is older hears all parts at once. */
  readonly watch: (since: number | null, tell: (sent: Sent) => void) => () => void;
  /** Hears that something happened, or that a page was opened or closed. */
  readonly follow: (changed: () => void) => () => void;
  /** Pages that show it now. */
  readonly viewers: () => number;
  readonly isUsed: () => boolean;
  readonly close: () => void;
}

/** Events come in bursts. Parts that are drawn from all that happened take longer, and for them 2 % of a core is enough. */
const paces = { fast: { everyMs: 150, rest: 10 }, slow: { everyMs: 1_000, rest: 50 } } as const;
/** The times in the head move on by themselves. */
const tickMs = 5_000;

export const openFeed = (world: World, paths: SessionPaths, base: string): SessionFeed => {
  const { clock } = world;
  const journal = readJournalOf(world, paths);
  const store = createStore({ clock, evolve, connection: 'replay' });
  const clean = (all: readonly Event[]): readonly Event[] =>
    eventsWithoutSecrets(world.redact, all).events.filter(({ type }) => type !== 'output.written');
  const events: Event[] = [...clean(journal.events)];
  store.load(events);
  const tellers = new Set<(sent: Sent) => void>();
  const followers = new Set<() => void>();
  const drawn = new Map<SectionName, string>();

  const seqOf = (): number => store.getState().session?.seq ?? 0;
  const seen = (): Seen => {
    const ms = clock.now();
    const isRun = hostOf(world, paths)?.alive === true;
    return { base, view: store.getState(), events, now: { ms, offset: clock.offsetMinutes(ms) }, isRun };
  };
  const draw = (slow: boolean) => (): void => {
    // Nobody looks: the next page is drawn as a whole.
    if (tellers.size === 0) return;
    const now = seen();
    for (const section of sections.filter((each) => each.slow === slow)) {
      const html = section.draw(now);
      if (drawn.get(section.name) === html) continue;
      drawn.set(section.name, html);
      for (const tell of tellers) tell({ event: section.name, html, seq: seqOf() });
    }
  };
  const fast = drawOften(clock, paces.fast, draw(false));
  const slow = drawOften(clock, paces.slow, draw(true));
  const changed = (): void => {
    fast.dirty();
    slow.dirty();
    for (const follower of followers) follower();
  };
  let cancelTick = (): void => {};
  const tick = (): void => {
    cancelTick = clock.after(tickMs, tick);
    if (tellers.size > 0) fast.dirty();
  };
  tick();
  const stop = followJournal(world, paths, journal, (event) => {
    for (const each of clean([event])) {
      events.push(each);
      store.dispatch(each);
      changed();
    }
  });
  return {
    paths,
    seen,
    viewers: () => tellers.size,
    isUsed: () => tellers.size + followers.size > 0,
    follow: (follower) => {
      followers.add(follower);
      return () => {
        followers.delete(follower);
      };
    },
    watch: (since, tell) => {
      tellers.add(tell);
      const now = seen();
      if (since !== seqOf())
        for (const section of sections) tell({ event: section.name, html: section.draw(now), seq: seqOf() });
      changed();
      return () => {
        tellers.delete(tell);
        for (const follower of followers) follower();
      };
    },
    close: () => {
      cancelTick();
      fast.stop();
      slow.stop();
      stop();
    },
  };
};
