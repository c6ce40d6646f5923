import { join } from 'node:path';
import { safeBlock } from '../base/safe.ts';
import type { SessionState } from '../pipeline/state.ts';
import { sessionPaths } from '../session/paths.ts';
import { selectEvent, selectEvents } from './select-events.ts';
import {
  selectBlock,
  selectCursor,
  selectOutputRows,
  selectOutputSubject,
  selectRaw,
} from './select-output.ts';
import { selectPreviewed } from './select-preview.ts';
import { isFinal, selectChosenSignal } from './select-signals.ts';
import { selectTask } from './select-tasks.ts';
import type { ViewState } from './view.ts';

/** What `c` and `C` would copy: the text of the item one looks at, and the file it stands in. `null`: there is none. */
export interface Copyable {
  readonly text: string | null;
  readonly path: string | null;
}

/** Events that are copied at once: what a person reads, not a journal. */
const eventLines = 200;

export const selectCopy = (view: ViewState): Copyable => {
  const { session } = view;
  if (session === null || session.session === '') return { text: null, path: null };
  const top = view.ui.overlays.at(-1);
  const { focus, tab } = view.ui;
  if (top?.kind === 'signal') return signal(view, top.id);
  if (top?.kind === 'knowledge') return lesson(view, session);
  if (focus === 'inbox' || focus === 'processed') return signal(view, selectChosenSignal(view, focus));
  const paths = sessionPaths(session.workspace, session.session);
  if (focus === 'right' && tab === 'events')
    return {
      text:
        view.ui.eventsAt === null
          ? selectEvents(view, eventLines)
              .rows.map((row) => `${row.at} ${row.type} ${row.text}`.trimEnd())
              .join('\n')
          : safeBlock(JSON.stringify(selectEvent(view))),
      path: paths.journal,
    };
  const task = taskItem(view, session);
  const { ref } = selectOutputSubject(view);
  // Output may show what belongs to no task: the planning, the review of the session, the librarian.
  if (focus === 'right' && tab === 'output' && ref !== null)
    return {
      text: blockText(view) ?? (session.tasks.has(ref.subject) ? task.text : null),
      path: paths.log(ref.subject, ref.attempt),
    };
  return task;
};

const taskItem = (view: ViewState, { tasks, workspace, session }: SessionState): Copyable => {
  const id = selectTask(view);
  const task = id === null ? undefined : tasks.get(id);
  if (id === null || task === undefined) return { text: null, path: null };
  const { title, objective, criteria, iteration } = task.definition;
  return {
    text: safeBlock(
      [`${id}: ${title}`, objective, ...criteria.map((each) => `- ${each}`), task.reason ?? '']
        .filter((line) => line !== '')
        .join('\n'),
    ),
    path: sessionPaths(workspace, session).iteration(iteration).task(id),
  };
};

/** The command the cursor is on with all it printed; of the note or the loose line, itself. */
const blockText = (view: ViewState): string | null => {
  const at = selectRaw(view) ? null : (selectCursor(view) ?? selectOutputRows(view).at(-1)?.no ?? null);
  const { log } = selectOutputSubject(view);
  if (at === null || log === null) return null;
  const head = selectBlock(view, at);
  const line = log.lines[(head ?? at) - log.dropped];
  const from = (head ?? at) - log.dropped;
  const until =
    line?.kind === 'command' ? (line.until ?? log.dropped + log.lines.length) - log.dropped : from + 1;
  return log.lines
    .slice(Math.max(0, from), until)
    .map((each) => (each.kind === 'command' ? `$ ${each.text}` : each.text))
    .join('\n');
};

/** The staged file under the cursor of the knowledge gate. */
const lesson = (view: ViewState, { gate, session, workspace }: SessionState): Copyable => {
  const file = selectPreviewed(view);
  if (file === null || gate === null) return { text: null, path: null };
  const { knowledge } = sessionPaths(workspace, session).iteration(gate.iteration);
  return { text: view.ui.previews[file] ?? null, path: join(knowledge, file) };
};

const signal = (view: ViewState, id: string | null): Copyable => {
  const { session } = view;
  const life = id === null ? undefined : session?.signals.get(id);
  if (life === undefined || !session) return { text: null, path: null };
  const { signals } = sessionPaths(session.workspace, session.session);
  const folder = life.stage === 'rejected' ? 'rejected' : isFinal(life.stage) ? 'processed' : 'inputs';
  return {
    text: safeBlock(life.signal.message ?? life.signal.type),
    path: join(signals, folder, life.file),
  };
};
