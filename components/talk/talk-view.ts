import { readAnswer } from '../../src/session/forms/question.ts';
import type { Talk } from '../../src/skills/talk/talk.ts';
import { createEditor, type Editor } from '../keys/line-editor.ts';

/** A conversation over the whole screen: what was said, the document beside it, and the open question with its field. */
export interface TalkOverlay {
  readonly kind: 'talk';
  readonly talk: Talk;
  /** The agent for people; '' for a form. */
  readonly label: string;
  /** The option under the cursor. */
  readonly cursor: number;
  readonly editor: Editor;
  /** The part that pages scroll; where both do not fit, the one in sight. */
  readonly side: 'talk' | 'document';
  /** Rows above the end of the talk. */
  readonly back: number;
  /** The first row of the document in sight. */
  readonly top: number;
  /** Tool calls are shown one by one. */
  readonly unfolded: boolean;
}

export const openTalkOverlay = (talk: Talk, label: string): TalkOverlay => ({
  kind: 'talk',
  talk,
  label,
  cursor: offeredAt(talk),
  editor: createEditor(),
  // Without a model nobody talks: what grows by the answers is in sight.
  side: label === '' ? 'document' : 'talk',
  back: 0,
  top: 0,
  unfolded: false,
});

/** The overlay with the conversation as it is now. A new question starts with an empty field, and typed words wait for it. */
export const showTalk = (overlay: TalkOverlay, talk: Talk): TalkOverlay => ({
  ...overlay,
  talk,
  cursor: talk.open?.id === overlay.talk.open?.id ? overlay.cursor : offeredAt(talk),
  side:
    talk.open === null || talk.open.id === overlay.talk.open?.id ? overlay.side : sideOf(talk.open, overlay),
  back: talk.turns.length === overlay.talk.turns.length ? overlay.back : 0,
});

/** The side that shows the subject of a new question: the document to approve, or the talk with facts of many lines. */
const sideOf = ({ kind, help }: NonNullable<Talk['open']>, { side }: TalkOverlay): TalkOverlay['side'] =>
  kind === 'approve' ? 'document' : kind === 'choice' && help.includes('\n') ? 'talk' : side;

/** A choice without an offer, such as a permission or the boxes that a person ticks, begins at none: the key that answers must not decide it. */
const offeredAt = ({ open }: Talk): number => {
  if (open === null) return 0;
  const at = open.options.findIndex(({ id }) => id === open.offered);
  return at >= 0 || open.kind !== 'words' ? at : 0;
};

/** The answer that is in the field, or under the cursor while the field is empty; else why there is none. */
export const talkAnswer = ({
  talk: { open },
  editor,
  cursor,
}: TalkOverlay): { readonly answer: string } | { readonly wrong: string } => {
  if (open === null) return { wrong: 'No question is open now' };
  const option = editor.text.trim() === '' ? open.options[cursor] : undefined;
  return option === undefined ? readAnswer(open, editor.text) : { answer: option.id };
};

/** The overlay scrolled by rows: up is negative. */
export const scrollTalk = (overlay: TalkOverlay, by: number): TalkOverlay =>
  overlay.side === 'document'
    ? { ...overlay, top: Math.max(0, overlay.top + by) }
    : { ...overlay, back: Math.max(0, overlay.back - by) };
