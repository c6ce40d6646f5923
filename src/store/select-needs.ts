import { safe } from '../base/safe.ts';
import { createEditor } from './line-editor.ts';
import { count } from './moment.ts';
import type { Overlay } from './overlay.ts';
import { selectRequests } from './select-request.ts';
import type { ViewState } from './view.ts';

/** Something that waits for a person. */
export type Need =
  | { readonly kind: 'knowledge'; readonly text: string; readonly since: string }
  | { readonly kind: 'question'; readonly request: string; readonly text: string; readonly since: string };

/** The needs-you queue, oldest first. Where nobody runs the session an answer waits in its mailbox for the resume. */
export const selectNeeds = (view: ViewState): readonly Need[] => {
  const { session } = view;
  if (session === null || session.abort !== null || view.connection === 'replay') return [];
  const questions = selectRequests(session).map(
    ({ request, text, since }): Need => ({ kind: 'question', request, text: safe(text), since }),
  );
  const gate: readonly Need[] =
    session.gate?.gate === 'knowledge'
      ? [
          {
            kind: 'knowledge',
            text: `Approve knowledge: ${count(session.gate.files.length, 'file')} staged`,
            since: session.gate.opened,
          },
        ]
      : [];
  return [...gate, ...questions].sort((a, b) => (a.since < b.since ? -1 : 1));
};

/** The overlay in which it is settled. */
export const needOverlay = (need: Need): Overlay =>
  need.kind === 'knowledge'
    ? { kind: 'knowledge', cursor: 0, chosen: [], top: 0, asking: null, editor: createEditor() }
    : { kind: 'answer', request: need.request, cursor: 0, editor: createEditor() };
