import { expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { selectEvents } from '../../components/events/select-events.ts';
import { selectNow } from '../../components/frame/select-now.ts';
import { outputKey } from '../../components/tasks/output-key.ts';
import { selectTasks } from '../../components/tasks/select-tasks.ts';
import { createPlainLog } from '../../src/cli/plain/plain-log.ts';
import { statusOf } from '../../src/cli/report/status-report.ts';
import { formatStatus } from '../../src/cli/report/status-text.ts';
import { reasonsFor, rowsOfSession } from '../../src/cli/report/task-rows.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { endCounts } from '../helpers/end-counts.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { git, repositoryWith, writeHook } from '../helpers/repository.ts';

const plan = `goal: Commit
tasks:
  - {id: first, title: Writes it, files: [shared.txt], run: [echo first >> shared.txt]}
  - {id: second, title: Adds to it, files: [shared.txt], blockedBy: [first], run: [echo second >> shared.txt && git commit -qam own]}
  - {id: third, title: Has tabs, files: [tabs.txt], blockedBy: [second], run: [echo tabs > tabs.txt]}
`;

/** A session whose second task commits its lines itself, and whose third is refused by a hook, one after the other: both write the one index of git. */
const ended = async () => {
  const workspace = repositoryWith({ 'shared.txt': 'zero\n' });
  writeHook(
    workspace,
    'pre-commit',
    'if git diff --cached --name-only | grep -q tabs; then',
    '  echo "no tabs, please"; echo "see CONTRIBUTING"; exit 1',
    'fi',
  );
  const session = createRealSession(workspace, plan, { settings: { commit: true } });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await engine.settled()).toMatchObject({ status: 'completed', exitCode: 0 });
  const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped' });
  store.load(session.events);
  return { workspace, session, store, state: engine.state() };
};

test('a task whose lines another commit holds is done and not failed: its log says that they are committed', async () => {
  const { workspace, session, store } = await ended();
  const qualified = session.all('task.qualified');
  const other = 'second';
  expect(git(workspace, 'show', '--format=%s', 'HEAD')).toMatch(/^own\n[\s\S]*\+second/);
  expect(qualified.find(({ task }) => task === other)).toMatchObject({
    commit: 'skipped',
    commit_detail: 'its changes are already committed',
  });
  expect(store.getState().output.logs.get(outputKey(other, 1))?.lines.at(-1)).toEqual({
    kind: 'note',
    text: 'passed, nothing committed: its changes are already committed',
    tone: 'good',
  });
  expect(selectTasks(store.getState()).lines.get(other)).toMatchObject({ word: 'done', uncommitted: null });
});

test('a commit that fails is said with its reason wherever a person looks', async () => {
  const { session, store, state } = await ended();
  const view = store.getState();
  const now = { ms: Date.parse(view.session?.at ?? ''), offset: 0 };
  expect(selectTasks(view).lines.get('third')?.word).toBe('done, not committed');
  expect(view.output.logs.get(outputKey('third', 1))?.lines.at(-1)).toEqual({
    kind: 'note',
    text: 'passed, not committed: no tabs, please',
    tone: 'bad',
  });
  const event = selectEvents(view, 500).rows.find(({ text }) => text.startsWith('third done'));
  expect(event?.text).toContain('not committed: no tabs, please');
  const live = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  for (const each of session.events) live.dispatch(each);
  expect(live.getState().notice).toMatchObject({
    text: 'third is done, but not committed: no tabs, please; its changes stay as they are',
    tone: 'bad',
  });
  expect(endCounts(view)).toContain('3 of 3 done · 1 not committed');
  expect(selectNow(view, now)).toMatchObject({
    tone: 'bad',
    text: expect.stringContaining('1 not committed'),
  });
  const log: string[] = [];
  const print = createPlainLog((line) => log.push(line));
  for (const each of session.events) print(each);
  expect(log.join('\n')).toContain('third done; not committed: no tabs, please');
  const opened = {
    state,
    paths: session.paths,
    host: null,
    problems: [],
    layout: { layout: '2.2', ours: true, writable: true } as const,
  };
  expect(formatStatus(statusOf(opened, { signals: 0, feedback: 'none' }), state, now)).toMatch(
    /third +done, not committed: no tabs, please$/m,
  );
  const rows = rowsOfSession(state);
  const row = rows.find(({ id }) => id === 'third');
  expect(row && reasonsFor(row, rows, state.session)).toEqual(['not committed: no tabs, please']);
  expect(session.read('iterations', '1', 'reports', 'third-report.md')).toContain(
    '- Commit failed: no tabs, please\n',
  );
});
