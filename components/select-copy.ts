import { join } from 'node:path';
import type { SessionState } from '../src/pipeline/state.ts';
import { sessionPaths } from '../src/session/paths.ts';
import { selectPreviewed } from './knowledge/select-preview.ts';
import { copySignal } from './mailbox/copy-signal.ts';
import { type Copyable, nothingToCopy } from './pane/copyable.ts';
import { focusedPane } from './panes.ts';
import type { ViewState } from './view.ts';

/** What `c` and `C` copy now: from the topmost overlay, else from the focused pane. */
export const selectCopy = (view: ViewState): Copyable => {
  const { session } = view;
  if (session === null || session.session === '') return nothingToCopy;
  const top = view.ui.overlays.at(-1);
  if (top?.kind === 'signal') return copySignal(view, top.id);
  if (top?.kind === 'knowledge') return lesson(view, session);
  return focusedPane(view).copy(view);
};

/** The staged file under the cursor of the knowledge gate. */
const lesson = (view: ViewState, { gate, session, workspace }: SessionState): Copyable => {
  const file = selectPreviewed(view);
  if (file === null || gate === null) return nothingToCopy;
  const { knowledge } = sessionPaths(workspace, session).iteration(gate.iteration);
  return { text: view.ui.previews[file] ?? null, path: join(knowledge, file) };
};
