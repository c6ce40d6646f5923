import type { Overlay } from '../overlay.ts';
import { selectEnd } from '../session/select-end.ts';
import { permissionRows, selectPermission } from '../signals/select-permission.ts';
import { selectChoices, selectQuestion } from '../signals/select-question.ts';
import { selectSignal } from '../signals/select-signal.ts';
import type { ViewState } from '../view.ts';
import { formLength } from './form.ts';
import { queuedNeeds } from './needs-queue.ts';
import { reviewPlaces } from './plan-review.ts';
import { selectRunnerLines } from './runners.ts';
import { selectMove } from './select-move.ts';
import { selectQuitChoices } from './select-quit.ts';
import { selectTrustLines } from './select-trust.ts';
import { startItems } from './start.ts';
import { taskListRows } from './task-list.ts';
import { windowRows } from './text-window.ts';

/** How far an overlay moves: items of its list, or lines of its text. */
export const overlayLength = (view: ViewState, overlay: Overlay): number => {
  switch (overlay.kind) {
    case 'knowledge':
      return view.session?.gate?.files.length ?? 0;
    case 'needs-you':
      return queuedNeeds(view).length;
    case 'sessions':
      return overlay.rows.length;
    case 'ready-groups':
      return overlay.groups.length;
    case 'start':
      return startItems(overlay).length;
    case 'critical':
      return overlay.findings.length;
    case 'form':
      return formLength(overlay, view.ui.size);
    case 'task-list':
      return taskListRows(overlay, view.ui.size.columns).length + 2;
    case 'plan-review':
      return reviewPlaces(view).length;
    case 'move-issue':
      return selectMove(view, overlay)?.states.length ?? 0;
    case 'end':
      return selectEnd(view)?.tasks.length ?? 0;
    case 'quit':
      return selectQuitChoices(view).length;
    case 'talk':
      return overlay.talk.open?.options.length ?? 0;
    case 'answer':
      return selectChoices(selectQuestion(view.session, overlay.request)).length;
    case 'permission': {
      const permission = selectPermission(view, overlay.request);
      // And the row that says what is out of sight.
      return permission === null
        ? 0
        : permissionRows(permission, view.session?.workspace ?? '', view.ui.size.columns).length + 1;
    }
    case 'signal':
      return signalLines(view, overlay.id);
    case 'statistics':
      // And the row that says what is out of sight.
      return windowRows(overlay.lines, view.ui.size.columns).length + 1;
    case 'runners':
      // Times do not change how many lines there are.
      return (
        windowRows(selectRunnerLines(view.session, { ms: 0, offset: 0 }), view.ui.size.columns).length + 1
      );
    case 'trust':
      // And the row that says what is out of sight.
      return selectTrustLines(overlay, view.ui.size.columns).length + 1;
    case 'help':
    case 'palette':
      // Their rows are commands, which the keymap counts.
      return 0;
    case 'compose':
    case 'confirm':
    case 'prompt':
    case 'settled':
      return 0;
  }
};

/** Roughly, by characters: times do not change how many lines there are. */
const signalLines = (view: ViewState, id: string): number => {
  const width = Math.max(1, Math.min(96, view.ui.size.columns - 4) - 13);
  return selectSignal(view, id, { ms: 0, offset: 0 })
    .flatMap(([, text]) => text.split('\n'))
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0);
};
