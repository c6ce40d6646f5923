import { describe, expect, test } from 'vitest';
import { isLongForm } from '../helpers/test-form.ts';
import { breaks } from './breaks.ts';
import { play } from './play.ts';
import { wholeSeed } from './scenario.ts';

/** Every promise that can be broken on purpose, and what its guard says then. */
const sentences: Readonly<Record<keyof typeof breaks, RegExp>> = {
  unblocked: /started before t\d+ was done/,
  'started-while-held': /started while held \(paused\)/,
  'command-while-held': /command\.started while paused/,
  'call-while-held': /the agent of .* was called while held/,
  'no-reason': /not running, and no reason is stated/,
  'reasonless-stop': /stopped without a reason/,
  'left-running': /still running at the end|ABORT left .* running/,
  'endless-program': /never ended: EXECUTING_BATCH/,
  'blank-line': /the now line is empty/,
  'lost-result': /the result of event \d+ is lost|appears twice/,
  'doubled-result': /task\.qualified of .* appears twice/,
  'lost-report': /is done, and its report .* is not on disk/,
  'overwritten-report': /what .* wrote to .* does not stand there any more/,
  'lost-signal': /lies in no place at all/,
  'doubled-signal': /lies in processed and processed/,
  'stuck-signal': /lies in processed, and the journal says claimed/,
  'signal-ended-twice': /came to more than one end: signal\.handled .*signal\.handled/,
  'forged-decision': /gate\.decided .* was caused by a file of nobody known/,
  'withdrawn-in-vain': /was withdrawn, and is processed: handled/,
  'lost-scrap': /is gone/,
  'promoted-twice': /knowledge was promoted \d times for/,
  unpromoted: /was promoted and is not in the workspace/,
  'skipped-number': /line 4 of the journal has number 5/,
  'other-state': /the replayed journal gives another state than the live run/,
  'blind-screen': /the screen of the run shows another state/,
  'deaf-screen': /a screen that follows the journal shows another state/,
  'open-box': /complete with 1 open/,
  'turn-after-drain': /started after a DRAIN/,
  'closed-issue-moved': /was Done, and the engine moved it/,
  'taken-issue-moved': /needed a person, and the engine moved it/,
  'held-issue-changed': /was held by 260301-000001, which lives, and the engine changed it/,
  'undecided-plan': /was moved to In Progress without a decision about its plan/,
  'unanswered-plan': /was moved to In Progress without the word of a person/,
  'forged-approval': /was moved to In Progress by a file of nobody known/,
  'moved-by-nobody': /neither the engine nor a person put it there/,
  'linked-twice': /links to the same document/,
  'left-lock': /is still locked at the end/,
  'landing-unseen': /lands, and nobody looked at its issues/,
  'merge-out-of-turn': /was merged outside of a merge/,
  'unchecked-merge': /was merged while its checks are failed/,
  'unverified-merge': /was merged and nothing shows that implement-\S+ is good/,
  'merge-without-verdict': /was merged and no one reviewed implement-\S+/,
  'unreviewed-merge': /was merged and the plan of \d+ was never approved/,
  'merge-without-leave': /was merged without leave/,
  'merge-without-work': /counts as merged, and no work of it is known/,
  'two-pull-requests': /has 2 open pull requests/,
  'done-twice': /was done twice/,
  'unclaimed-work': /was started without a claim/,
  'claim-of-a-stranger': /claimed .* and is no member/,
  'wrong-role': /claimed .*, a task of the/,
  'two-winners': /claimed .*, which \S+ has/,
  'two-at-once': /claimed \S+ beside/,
  'stays-a-member': /is still a member at the end/,
  'unadmitted-claim': /task\.claimed of .*, whom nobody let in/,
  'forged-admission': /was let in by nobody known/,
  'claim-of-a-dead-one': /has been dead for 10 s and still has/,
  'unverified-landing': /landed before it was verified/,
  'landed-apart': /landed on elsewhere, and the branch was at/,
  'done-without-landing': /is done and did not land/,
  'landed-twice': /landed twice/,
  'verified-by-an-older-check': /was verified by a check of another merge/,
  'taken-back-and-done': /is done, and its merge was taken back/,
  'taken-back-and-forgotten': /was taken back, and nothing came of it/,
  'landed-after-an-undo': /landed with a merge that was made before an undo/,
  'taken-back-in-words-only': /was taken back, and the branch holds it/,
  'brought-back-in-words-only': /has landed, and the branch does not hold it/,
  'unasked-stop': /blocked .* but nobody answered/,
};

const mostSeeds = 40;

/** Seeds that show it, where the shortest ones do not. They only save time: when one no longer does, all seeds are tried. */
const showing: Readonly<Partial<Record<keyof typeof breaks, number>>> = {
  unblocked: 4,
  'endless-program': 3,
  'withdrawn-in-vain': 9,
  'lost-scrap': 9,
  'undecided-plan': 9,
  'unanswered-plan': 4,
  'forged-approval': 4,
  'unchecked-merge': 7,
  'unverified-merge': 7,
  'merge-without-verdict': 7,
  'unreviewed-merge': 7,
  'merge-without-leave': 7,
  'merge-without-work': 7,
  'two-pull-requests': 1,
  'two-winners': 20,
  'two-at-once': 11,
  'claim-of-a-dead-one': 9,
  'unverified-landing': 71_002,
  'landed-apart': 71_002,
  'done-without-landing': 4,
  'landed-twice': 4,
  'verified-by-an-older-check': 4,
  'taken-back-and-done': 4,
  'taken-back-and-forgotten': 4,
  'landed-after-an-undo': 4,
  'taken-back-in-words-only': 5,
  'brought-back-in-words-only': 71_002,
};

/** Those with the shortest sessions come first: a tenth of the time of seed 1. */
const shortest = [10, 8, 9];

const seedsOf = (broken: keyof typeof breaks): readonly number[] => [
  ...(showing[broken] === undefined ? shortest : [showing[broken]]),
  ...Array.from({ length: mostSeeds }, (_, index) => index + 1),
];

/** One of thirteen in the short form. */
const tried = Object.entries(sentences).filter((_, index) => isLongForm || index % 13 === 0);

describe('the guard of a promise says so when it is broken', () => {
  test.each(tried)('%s', async (broken, sentence) => {
    const said: string[] = [];
    for (const seed of seedsOf(broken)) {
      said.push(...(await play({ ...wholeSeed(seed, breaks[broken]?.mode), broken })).problems);
      if (said.some((each) => sentence.test(each))) break;
    }
    expect(said.join('\n')).toMatch(sentence);
  });

  test('and every way to break one is tried', () => {
    expect(Object.keys(sentences)).toEqual(Object.keys(breaks));
  });
});
