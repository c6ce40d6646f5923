import { count } from '../../src/words/local-time.ts';
import { act, always, closeOverlay, perform } from '../command.ts';
import { closing } from '../dialog/closing.ts';
import type { TextDialog } from '../dialog/dialog.ts';
import { blank, bold, type Line, span } from '../draw/span.ts';
import { anotherSession } from '../in-lines.ts';
import { selectTrustLines, trustMatches, trustWidth } from './select-trust.ts';
import type { TrustOverlay } from './start-list.ts';

/** Asks before anything from the repository runs. */
export const trustDialog: TextDialog<TrustOverlay> = {
  moves: 'text',
  widest: (_shown, { columns }) => trustWidth(columns),
  tone: () => 'needs-you',
  title: () => 'Trust and run this?',
  lines: (_view, trust, { columns }) => {
    const all = selectTrustLines(trust, columns);
    const found = new Set(trustMatches(all, trust.find ?? ''));
    const drawn = (text: string, row: number): Line => [
      found.has(row) ? bold(text, 'needs-you') : span(text, text.startsWith(' ') ? 'text' : 'accent'),
    ];
    return [...all.map(drawn), blank];
  },
  edge: (trust, { columns }) => {
    const { find = '' } = trust;
    const found = trustMatches(selectTrustLines(trust, columns), find);
    return find === '' ? '' : ` · "${find}": ${count(found.length, 'row')}`;
  },
  commands: [
    {
      id: 'trust.yes',
      context: 'trust',
      // Not Enter, which chose the plan: pressed twice by habit it would accept an unread plan.
      keys: ['y'],
      label: 'trust and run',
      description: 'trust exactly these files as they are now, and run them',
      group: 'Arrive',
      inLines: anotherSession,
      footer: 1,
      available: always,
      run: (view) => {
        const top = view.ui.overlays.at(-1);
        return top?.kind === 'trust' ? [act({ type: 'overlay-closed' }), perform(top.intent)] : [];
      },
    },
    {
      ...closing('trust', ['escape', 'q', 'ctrl-c']),
      label: 'run nothing',
      description: 'run nothing',
      run: (view) => closeOverlay(view),
    },
  ],
};
