import { safe } from '../../src/base/safe.ts';
import { closing } from '../dialog/closing.ts';
import type { MenuDialog } from '../dialog/dialog.ts';
import { blank, span } from '../draw/span.ts';
import { quit } from '../leave/quit.ts';
import { issueOfferWords } from './issue-offer-words.ts';
import type { ReadyGroupsOverlay } from './start-list.ts';

/** The groups of issues that a run can begin with. */
export const readyGroupsDialog: MenuDialog<ReadyGroupsOverlay> = {
  moves: 'cursor',
  widest: () => 96,
  title: () => 'Which issue?',
  above: () => [
    [span('A run takes a group from triage to merge. You will see its tasks first.', 'secondary')],
    blank,
  ],
  items: (_view, { groups }) => {
    const column = Math.max(...groups.map(({ issue }) => safe(issue).length)) + 2;
    return groups.map((offer) => (here) => [
      [
        { text: safe(offer.issue).padEnd(column), bold: here },
        span(issueOfferWords(offer), here ? 'text' : 'secondary'),
      ],
    ]);
  },
  below: () => [blank],
  commands: [
    // It stands alone on its screen.
    {
      ...closing('ready-groups', ['escape', 'q', 'ctrl-c']),
      label: 'start nothing',
      run: (view) => quit(view),
    },
  ],
};
