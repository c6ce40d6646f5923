import type { Clock } from '../../../src/base/clock.ts';
import type { PullRequests } from '../../../src/issues/pull-requests/pull-requests.ts';
import { refused } from '../../../src/issues/trackers/tracker.ts';
import type { SeededRandom } from '../../helpers/seeded-random.ts';
import type { Act } from './ledger.ts';

interface PullRequest {
  readonly url: string;
  readonly branch: string;
  state: 'open' | 'merged' | 'closed';
  checks: 'pending' | 'passed' | 'failed';
  /** The commit that was pushed last. */
  head: string;
  /** What members said about it, by id. */
  readonly said: string[];
}

/** Pull requests at a place that outlives every program. */
export type Forge = Map<string, PullRequest>;

export interface ForgePorts {
  readonly forge: Forge;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly isDown: () => boolean;
  readonly hear: (act: Act) => void;
}

/** The forge as one life of the engine sees it. */
export const createPullRequests = ({ forge, clock, random, isDown, hear }: ForgePorts): PullRequests => {
  const wait = (): Promise<void> => new Promise((resolve) => void clock.after(random.int(500), resolve));
  const down = () => refused('tracker-down', 'GitHub answered 500');
  const at = (url: string): PullRequest | undefined => forge.get(url);
  return {
    open: async ({ branch }) => {
      await wait();
      if (isDown()) return down();
      const isOpen = (each: PullRequest): boolean => each.branch === branch && each.state === 'open';
      const known = [...forge.values()].find(isOpen);
      if (known !== undefined) {
        // What was pushed is checked anew.
        known.checks = 'pending';
        known.head = `${known.head}+`;
        return { ok: true, value: { url: known.url, said: [...known.said] } };
      }
      const url = `https://forge.test/${forge.size + 1}`;
      forge.set(url, { url, branch, state: 'open', checks: 'pending', head: 'h', said: [] });
      hear({ kind: 'pull-request', branch, open: [...forge.values()].filter(isOpen).length });
      await wait();
      return { ok: true, value: { url } };
    },
    look: async (url, answered) => {
      await wait();
      const known = at(url);
      if (isDown()) return down();
      if (known === undefined) return refused('tracker-answer', `there is no pull request ${url}`);
      const ids = answered === undefined ? [] : known.said.filter((id) => !answered.has(id));
      return {
        ok: true,
        value: {
          ...(ids.length === 0 ? {} : { comments: { ids, words: ids.join('\n') } }),
          state: known.state,
          checks: known.checks,
          head: known.head,
          feedback: known.checks === 'failed' ? 'The check lint failed.' : '',
        },
      };
    },
    merge: async (url, head) => {
      await wait();
      const known = at(url);
      if (isDown()) return down();
      if (known === undefined) return refused('tracker-answer', `there is no pull request ${url}`);
      if (known.head !== head) return refused('tracker-answer', 'the head of the pull request changed');
      if (known.state === 'closed') return refused('tracker-answer', 'the pull request is closed');
      if (known.state === 'open') hear({ kind: 'merge', branch: known.branch, checks: known.checks });
      known.state = 'merged';
      await wait();
      return { ok: true, value: null };
    },
  };
};

/** The checks go on, and sometimes a person says something, merges or closes one. `calm`: what still fails passes. */
export const moveForge = (forge: Forge, random: SeededRandom, calm: boolean): void => {
  for (const each of forge.values()) {
    if (each.state !== 'open') continue;
    if (each.checks === 'pending' && random.chance(calm ? 1 : 0.2))
      each.checks = !calm && random.chance(0.3) ? 'failed' : 'passed';
    if (!calm && random.chance(0.02)) each.said.push(`kim commented: ${each.said.length + 1}`);
    if (random.chance(calm ? 0.2 : 0.01)) each.state = random.pick(['merged', 'merged', 'closed']);
  }
};
