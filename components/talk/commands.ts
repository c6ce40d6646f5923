import { act, always, type Command, closeOverlay, perform } from '../command.ts';
import { type InLines, noCursor } from '../in-lines.ts';
import type { ViewState } from '../view.ts';
import { type TalkOverlay, talkAnswer } from './talk-view.ts';

const lineByLine: InLines = {
  instead: '`ralph-tui skill --screen-reader` holds the conversation line by line',
};

const overlayOf = (view: ViewState): TalkOverlay | null => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'talk' ? top : null;
};

/** Keys of a conversation with a skill. */
export const talkCommands: readonly Command[] = [
  {
    id: 'talk.send',
    context: 'talk',
    keys: ['enter'],
    label: 'answer',
    description: 'answer with the typed text or, if there is none, the option under the cursor',
    group: 'Write',
    inLines: lineByLine,
    footer: 1,
    available: (view) => {
      const overlay = overlayOf(view);
      const read = overlay === null ? { wrong: 'No question is open now' } : talkAnswer(overlay);
      return 'wrong' in read ? read.wrong : true;
    },
    run: (view) => {
      const overlay = overlayOf(view);
      const read = overlay === null ? null : talkAnswer(overlay);
      const question = overlay?.talk.open?.id;
      if (read === null || question === undefined || 'wrong' in read) return [];
      return [
        act({ type: 'edited', edit: { type: 'set', text: '' } }),
        perform({ type: 'talk-answered', question, answer: read.answer }),
      ];
    },
  },
  {
    id: 'talk.side',
    context: 'talk',
    keys: ['tab'],
    label: (view) => (overlayOf(view)?.side === 'document' ? 'talk' : 'document'),
    description:
      'choose whether the page keys scroll the conversation or the document; a narrow screen shows only the chosen one',
    group: 'Look',
    inLines: lineByLine,
    footer: 2,
    available: always,
    run: () => [act({ type: 'talk-turned', what: 'side' })],
  },
  {
    id: 'talk.unfold',
    context: 'talk',
    keys: ['ctrl-t'],
    label: 'tool calls',
    description: 'show all tool calls, or only their number',
    group: 'Look',
    inLines: lineByLine,
    footer: 4,
    offered: (view) => overlayOf(view)?.talk.turns.some(({ type }) => type === 'tool') === true,
    available: always,
    run: () => [act({ type: 'talk-turned', what: 'fold' })],
  },
  {
    id: 'talk.page-up',
    context: 'talk',
    keys: ['pageup'],
    label: 'back',
    description: 'half a page up',
    group: 'Move',
    inLines: noCursor,
    available: always,
    run: (view) => [act({ type: 'talk-scrolled', by: -halfPage(view) })],
  },
  {
    id: 'talk.page-down',
    context: 'talk',
    keys: ['pagedown'],
    label: 'on',
    description: 'half a page down',
    group: 'Move',
    inLines: noCursor,
    available: (view) => {
      const overlay = overlayOf(view);
      return overlay?.side === 'talk' && overlay.back === 0 ? 'This is the end of the conversation' : true;
    },
    run: (view) => [act({ type: 'talk-scrolled', by: halfPage(view) })],
  },
  {
    id: 'talk.leave',
    context: 'talk',
    keys: ['escape', 'ctrl-c'],
    label: 'leave',
    description: 'leave; the conversation is kept and can be continued later',
    group: 'Leave',
    inLines: lineByLine,
    footer: 3,
    available: always,
    run: (view) => closeOverlay(view, [perform({ type: 'talk-left' })]),
  },
];

const halfPage = ({ ui }: ViewState): number => Math.max(1, Math.floor((ui.size.rows - 8) / 2));
