import { queuedNeeds } from '../../store/overlays/needs-queue.ts';
import { planGateOf } from '../../store/overlays/plan-gate.ts';
import { reviewPlaces } from '../../store/overlays/plan-review.ts';
import { selectMove } from '../../store/overlays/select-move.ts';
import { lastPreviewTop } from '../../store/overlays/select-preview.ts';
import { selectQuitChoices } from '../../store/overlays/select-quit.ts';
import { selectTrustLines } from '../../store/overlays/select-trust.ts';
import { wizardLength } from '../../store/overlays/select-wizard.ts';
import { setupLength } from '../../store/overlays/setup.ts';
import { startItems } from '../../store/overlays/start.ts';
import { statisticsRows } from '../../store/overlays/statistics.ts';
import { taskListRows } from '../../store/overlays/task-list.ts';
import { focusedPane } from '../../store/panes/index.ts';
import { selectEnd } from '../../store/session/select-end.ts';
import { permissionRows, selectPermission } from '../../store/signals/select-permission.ts';
import { selectChoices, selectQuestion } from '../../store/signals/select-question.ts';
import { selectSignal } from '../../store/signals/select-signal.ts';
import type { Move } from '../../store/ui-action.ts';
import type { ViewState } from '../../store/view.ts';
import { act, always, type Command, type Context } from '../command.ts';

interface Way {
  readonly move: Move;
  readonly keys: readonly string[];
  readonly description: string;
}

const ways: readonly Way[] = [
  { move: 'down', keys: ['j', 'down'], description: 'down' },
  { move: 'up', keys: ['k', 'up'], description: 'up' },
  { move: 'first', keys: ['g', 'home'], description: 'first line' },
  { move: 'last', keys: ['G', 'end'], description: 'last line; in Output and Events: follow again' },
  { move: 'page-down', keys: ['pagedown'], description: 'a page down' },
  { move: 'page-up', keys: ['pageup'], description: 'a page up' },
  { move: 'half-down', keys: ['ctrl-d'], description: 'half a page down' },
  { move: 'half-up', keys: ['ctrl-u'], description: 'half a page up' },
];

/** In a drawing, and in what runs along the time. */
const sideways: readonly Way[] = [
  { move: 'left', keys: ['h', 'left'], description: 'to the left' },
  { move: 'right', keys: ['l', 'right'], description: 'to the right' },
];

const across = (way: Way): Command => ({
  ...inMain(way),
  available: (view) =>
    focusedPane(view).sideways(view)
      ? true
      : 'Nothing lies beside this: the graph ({draw.form}) has tasks there',
});

const inMain = ({ move, keys, description }: Way): Command => ({
  id: `move.${move}`,
  context: 'main',
  keys,
  label: description.split(';')[0] ?? description,
  description,
  group: 'Move',
  available: always,
  run: () => [act({ type: 'moved', by: move })],
});

const inOverlay =
  (context: Context, typing: boolean, length: (view: ViewState) => number) =>
  ({ move, keys, description }: Way): Command => ({
    id: `${context}.${move}`,
    context,
    // Where one types, letters are text and only keys without text move.
    keys: typing ? keys.filter((key) => key === 'up' || key === 'down') : keys,
    label: typing && move === 'down' ? 'choose' : description,
    description,
    group: 'Move',
    // Where letters are text nobody tries j: the arrow has to be named.
    ...(typing && move === 'down' ? { footer: 2 } : {}),
    available: always,
    run: (view) => [act({ type: 'overlay-moved', by: move, length: length(view) })],
  });

/** The details of a task lie over the field that has the keys. */
const atPlanGate = (command: Command): Command => ({
  ...command,
  available: (view) => (planGateOf(view) === null ? 'All of the question is in sight' : true),
});

/** Items of the list, or lines of the text, in the topmost overlay. */
const lengthOf = (view: ViewState): number => {
  const overlay = view.ui.overlays.at(-1);
  switch (overlay?.kind) {
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
    case 'wizard':
      return wizardLength(overlay, view.ui.size);
    case 'setup':
      return setupLength(overlay);
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
      return statisticsRows(overlay, view.ui.size.columns).length + 1;
    case 'trust':
      // And the row that says what is out of sight.
      return selectTrustLines(overlay, view.ui.size.columns).length + 1;
    default:
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

/** Keys that scroll what lies over a field that has the keys. */
const overField: readonly string[] = ['up', 'down', 'pageup', 'pagedown'];

/** Keys that move: the same in every list and text. `helpLength` is handed in, because the help lists these commands too. */
export const moveCommands = (helpLength: (view: ViewState) => number): readonly Command[] => [
  ...ways.map(inMain),
  ...sideways.map(across),
  ...ways.map(inOverlay('help', false, helpLength)),
  ...ways
    .map(inOverlay('help-filter', false, helpLength))
    // Letters are text in the field, and so are its own keys for the ends of the text.
    .map((command) => ({ ...command, keys: command.keys.filter((key) => overField.includes(key)) }))
    .filter((command) => command.keys.length > 0),
  ...ways.map(inOverlay('knowledge', false, lengthOf)).slice(0, 4),
  ...ways.map(inOverlay('knowledge', false, (view) => lastPreviewTop(view) + 1)).slice(4),
  ...(
    [
      'signal',
      'statistics',
      'permission',
      'trust',
      'needs-you',
      'end',
      'sessions',
      'quit',
      'wizard',
      'setup',
      'critical',
      'move-issue',
      'plan-review',
      'task-list',
      'ready-groups',
    ] as const
  ).flatMap((context) => ways.map(inOverlay(context, false, lengthOf))),
  ...ways.slice(0, 2).map(inOverlay('answer', true, lengthOf)),
  ...ways
    .slice(4, 6)
    .map(inOverlay('answer', false, lengthOf))
    .map(atPlanGate),
  ...ways.slice(0, 2).map(inOverlay('start', true, lengthOf)),
  ...ways
    .slice(0, 2)
    .map(inOverlay('talk', true, lengthOf))
    .map((command) => ({ ...command, offered: (view: ViewState) => lengthOf(view) > 1 })),
];
