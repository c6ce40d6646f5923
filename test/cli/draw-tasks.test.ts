import { expect, test } from 'vitest';
import { parseLine } from '../../src/cli/plain/verbs.ts';
import { dotOf, drawTasks, mermaidOf } from '../../src/cli/report/draw-tasks.ts';
import { rowsOfSession, type TaskRow } from '../../src/cli/report/task-rows.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { createStory, type Story, task, twoSideBySide } from '../helpers/story.ts';

const rowsOf = (story: Story): readonly TaskRow[] => {
  const state = story.events.reduce<SessionState | null>(evolve, null);
  return state === null ? [] : rowsOfSession(state);
};

test('the graph of a session is drawn with its statuses and its longest chain, and in ASCII', () => {
  const rows = rowsOf(twoSideBySide());
  expect(drawTasks(rows, { columns: 100, ascii: false })?.join('\n')).toMatchInlineSnapshot(`
    "                   ╭──────────────╮
                  ╭────┤ ▸ english    ┝━━┓
    ╭──────────╮  │    ╰──────────────╯  ┃  ╭───────────╮     ╭─────────────╮
    │ ✓ init   ├──┤                      ┡━━┥ · service ┝━━┯━━┥ · load-test │
    ╰──────────╯  │    ╭──────────────╮  │  ╰───────────╯  │  ╰─────────────╯
                  ├────┤ ▸ vietnamese ├──╯                 │
    ╭──────────╮  │    ╰──────────────╯                    │  ╭─────────────╮
    │ ✓ schema ├──┴─╮                    ╭─────────────────┴──┤ · release   │
    ╰──────────╯    │  ╭──────────────╮  │                    ╰─────────────╯
                    ╰──┤ ○ docs       ├──╯
                       ╰──────────────╯"
  `);
  expect(drawTasks(rows, { columns: 60, ascii: true })?.join('\n')).toMatchInlineSnapshot(`
    "       +---------+  +-----------+
           | + init  |  | + schema  |
           +----+----+  +-----+-----+
          +-----+-----------+-+
          |                 | +-------------+
    +-----+-----+   +-------+-------+  +----+----+
    | / english |   | / vietnamese  |  | o docs  |
    +-----#-----+   +-------+-------+  +----+----+
          #===========#-----+           +---+
                +-----#-----+           |
                | . service |           |
                +-----#-----+           |
                  #===#-----------+     |
                  #               +-----+
           +------#------+  +-----+-----+
           | . load-test |  | . release |
           +-------------+  +-----------+"
  `);
});

test('a drawing without room is none', () => {
  const rows = rowsOf(twoSideBySide());
  expect(drawTasks(rows, { columns: 20, ascii: false })).toBeNull();
  const many = Array.from({ length: 400 }, (_, index) => task(`t${index}`));
  expect(drawTasks(rowsOf(createStory().begin().tasks(many)), { columns: 200, ascii: false })).toBeNull();
});

test('Graphviz and Mermaid get every task and every edge, with names that they can read', () => {
  const rows = rowsOf(
    createStory()
      .begin()
      .tasks([task('end'), task('a.b', ['end', 'ghost'])]),
  );
  expect(dotOf(rows)).toEqual([
    'digraph tasks {',
    '  rankdir=LR;',
    '  node [shape=box, style=rounded];',
    '  "end" [label="end (open)"];',
    '  "a.b" [label="a.b (open)"];',
    '  "end" -> "a.b";',
    '}',
  ]);
  expect(mermaidOf(rows)).toEqual([
    'flowchart LR',
    '  t1["end (open)"]',
    '  t2["a.b (open)"]',
    '  t1 --> t2',
  ]);
});

test('a screen reader gets the graph as waves', () => {
  expect(parseLine('tasks graph', 's')).toMatchObject({
    argv: ['tasks', 'graph', '--waves', '--session', 's'],
  });
  expect(parseLine('tasks graph --dot', 's')).toMatchObject({
    argv: ['tasks', 'graph', '--dot', '--session', 's'],
  });
});
