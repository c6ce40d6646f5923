import type { Overlay } from '../overlay.ts';
import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';
import { type Need, selectNeeds } from './select-needs.ts';

type QueueOverlay = Extract<Overlay, { kind: 'needs-you' }>;

const queueOverlay = ({ ui }: ViewState): QueueOverlay | null =>
  ui.overlays.findLast((overlay): overlay is QueueOverlay => overlay.kind === 'needs-you') ?? null;

/** What is still to answer: an item answered here leaves at once, and the next one is under the cursor. */
export const queuedNeeds = (view: ViewState): readonly Need[] => {
  const answered = queueOverlay(view)?.answered ?? [];
  const needs = selectNeeds(view);
  return answered.length === 0 ? needs : needs.filter((need) => !answered.includes(keyOf(need)));
};

/** The item under the cursor; `null` when the one there was settled meanwhile. */
export const needUnderCursor = (view: ViewState): Need | null => {
  const overlay = queueOverlay(view);
  return overlay === null ? null : (queuedNeeds(view)[overlay.cursor] ?? null);
};

const keyOf = (need: Need): string => {
  if (need.kind === 'knowledge') return 'knowledge';
  if (need.kind === 'issue') return `issue ${need.issue}`;
  return need.kind === 'unproven' ? need.id : need.request;
};

/** The view with the item under the cursor answered. */
export const answerNeed = (view: ViewState): ViewState => {
  const need = needUnderCursor(view);
  const overlay = queueOverlay(view);
  if (need === null || overlay === null) return view;
  return holdNeed(withQueue(view, { ...overlay, answered: [...(overlay.answered ?? []), keyOf(need)] }));
};

/** Remembers which item is under the cursor, after a person moved it. */
export const holdNeed = (view: ViewState): ViewState => {
  const overlay = queueOverlay(view);
  if (overlay === null) return view;
  const needs = queuedNeeds(view);
  const cursor = Math.min(overlay.cursor, needs.length - 1);
  const at = needs[cursor];
  const key = at === undefined ? undefined : keyOf(at);
  if (cursor === overlay.cursor && key === overlay.at) return view;
  const { at: _, ...others } = overlay;
  return withQueue(view, { ...others, cursor, ...(key === undefined ? {} : { at: key }) });
};

/**
 * The cursor stays on its item while the list changes. When that one was settled elsewhere no item is under it, because the next key was meant for
 * the settled one. An empty queue closes.
 */
export const followNeed = (view: ViewState): ViewState => {
  const overlay = queueOverlay(view);
  if (overlay === null) return view;
  const needs = queuedNeeds(view);
  if (needs.length === 0 && (view.session?.remembered.size ?? 0) === 0)
    return withUi(view, { overlays: view.ui.overlays.filter((each) => each !== overlay) });
  if (overlay.at === undefined) return view;
  const cursor = needs.findIndex((need) => keyOf(need) === overlay.at);
  return cursor === overlay.cursor ? view : withQueue(view, { ...overlay, cursor });
};

const withQueue = (view: ViewState, overlay: QueueOverlay): ViewState =>
  withUi(view, {
    overlays: view.ui.overlays.map((each) => (each.kind === 'needs-you' ? overlay : each)),
  });
