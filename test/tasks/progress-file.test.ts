import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  editProgress,
  formatProgress,
  type ProgressModel,
  parseProgress,
} from '../../src/tasks/progress-file.ts';
import type { ProgressLine } from '../../src/tasks/progress-line.ts';
import { processorTime } from '../helpers/processor-time.ts';

const line = (
  id: string,
  status: ProgressLine['status'],
  more: Partial<ProgressLine> = {},
): ProgressLine => ({
  id,
  status,
  notes: [],
  ...more,
});

const model = (
  implementation: readonly ProgressLine[],
  more: Partial<ProgressModel> = {},
): ProgressModel => ({
  iteration: 1,
  planning: [line('plan-init', 'done')],
  implementation,
  knowledge: [],
  iterations: [{ iteration: 1, status: 'In progress', tasks: '0/2', feedbacks: 'N/A' }],
  ...more,
});

const statusesOf = (text: string) =>
  Object.fromEntries([...parseProgress(text).value.items].map(([id, item]) => [id, item.status]));

const anyStatus = fc.constantFrom<ProgressLine['status']>(
  'open',
  'running',
  'review',
  'done',
  'failed',
  'cancelled',
);

describe('a progress file', () => {
  it('has its sections in order and reads back as what was written', () => {
    const written = [
      line('task-1', 'running', {
        attempt: 2,
        iteration: 1,
        started: '2026-02-15T10:15:00+07:00',
        owner: 'Executor-3',
      }),
      line('task-2', 'review', { attempt: 1, reviewPending: true, notes: ['Aborted by signal'] }),
    ];
    const text = formatProgress(model(written, { knowledge: [line('plan-knowledge-extraction', 'open')] }));
    expect(text.match(/^#.*$/gm)).toEqual([
      '# Progress',
      '## Legend',
      '## Planning Progress (Iteration 1)',
      '## Implementation Progress (Iteration 1)',
      '## Knowledge Progress (Iteration 1)',
      '## Iterations',
    ]);
    const { value, problems } = parseProgress(text);
    expect(problems).toEqual([]);
    expect(value.items.get('task-1')).toMatchObject(written[0] ?? {});
    expect(value.items.get('task-2')).toMatchObject(written[1] ?? {});
    expect(value.items.get('plan-knowledge-extraction')?.section).toBe('knowledge');
    expect(value.iterations).toEqual([
      { iteration: 1, status: 'In progress', tasks: '0/2', feedbacks: 'N/A' },
    ]);
  });

  it('calls the planning of later iterations replanning', () => {
    expect(formatProgress(model([], { iteration: 2 }))).toContain('## Replanning Progress (Iteration 2)');
  });

  it('reads any marker case, a star as bullet, a colon after the id and the old heading', () => {
    const text =
      '## Tasks (Iteration 3)\n* [X] task-1: (Attempt 1)\n- [f] task-2\n- [p] task-3 done soon\n- [c] task_4.b';
    expect(statusesOf(text)).toEqual({
      'task-1': 'done',
      'task-2': 'failed',
      'task-3': 'review',
      'task_4.b': 'cancelled',
    });
    expect(parseProgress(text).value.iteration).toBe(3);
    expect(parseProgress(text).value.items.get('task-3')?.notes).toEqual(['done soon']);
  });

  it('lets the last line win when a task stands twice, and says so', () => {
    const { value, problems } = parseProgress(
      '## Implementation Progress\n- [x] task-1\n- [ ] task-2\n- [/] task-1\n',
    );
    expect(value.items.get('task-1')?.status).toBe('running');
    expect([...value.items.keys()]).toEqual(['task-2', 'task-1']);
    expect(problems[0]).toMatchObject({
      where: 'progress.md:4',
      what: 'task-1 appears twice; this line counts, not line 2',
    });
  });

  it('keeps whole what people write in parentheses', () => {
    const { value } = parseProgress('- [F] task-1 (Attempt 2, failed: now, see (log), a (b, c)) and more');
    expect(value.items.get('task-1')).toMatchObject({
      attempt: 2,
      failed: 'now',
      notes: ['see (log)', 'a (b, c)', 'and more'],
    });
  });

  it('takes a marker it does not know as a problem, not as a status', () => {
    const { value, problems } = parseProgress('- [?] task-1\n');
    expect(value.items.size).toBe(0);
    expect(problems[0]?.where).toBe('progress.md:1');
  });

  it('does not hang on a line made of spaces and brackets', () => {
    const text = `- [ ] task-1${' '.repeat(100_000)}x\n- [ ] task-2 ${'('.repeat(4_000)}\n- [x] task-3`;
    const parse = (): void => expect(statusesOf(text)).toEqual({ 'task-2': 'open', 'task-3': 'done' });
    expect(processorTime(parse, 1)).toBeLessThan(5_000);
  });

  it('never throws, whatever the bytes', () => {
    const anyLine = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('- [x] task-1 (', '## Legend', '| 1 |', '## Iterations', '- [ ] a: (((', '\r'),
    );
    fc.assert(
      fc.property(fc.array(anyLine), anyStatus, (lines, status) => {
        const text = lines.join('\n');
        parseProgress(text);
        const edited = editProgress(text, model([line('task-1', status), line('b', 'open')]));
        expect(parseProgress(edited).value.items.get('task-1')?.status).toBe(status);
      }),
    );
  });
});

describe('editing a progress file', () => {
  const theirs = [
    '\uFEFF# Progress of kim\r\n',
    '\r\n',
    'Some words.\r\n',
    '## Implementation Progress (Iteration 1)\r\n',
    '  * [ ] task-2: (Attempt 1, Iteration 1, ask kim (really)) please be careful\r\n',
    '- [/] task-1 (Attempt 1, Iteration 1, started: t, Paused by signal.)\r\n',
    'A line between.\r\n',
    '| a | table |',
  ].join('');

  it('changes only the lines whose status changed, and there only marker and known annotations', () => {
    const before = parseProgress(theirs).value;
    const now = model(
      [
        line('task-1', 'review', { attempt: 1, iteration: 1, started: 't', reviewPending: true }),
        line('task-2', 'running', { attempt: 2, iteration: 1 }),
      ],
      { planning: [], iterations: [] },
    );
    const edited = editProgress(theirs, now, {
      ...before,
      items: new Map(
        [...before.items].map(([id, item]) => [
          id,
          { ...item, notes: item.notes.filter((it) => it.startsWith('Paused')) },
        ]),
      ),
    });
    expect(edited).toBe(
      theirs
        .replace('[ ] task-2: (Attempt 1, Iteration 1, ask', '[/] task-2: (Attempt 2, Iteration 1, ask')
        .replace(
          '[/] task-1 (Attempt 1, Iteration 1, started: t, Paused by signal.)',
          '[P] task-1 (Attempt 1, Iteration 1, started: t, review-pending)',
        ),
    );
  });

  it('gives the same bytes again when nothing changed', () => {
    const items = [...parseProgress(theirs).value.items.values()];
    expect(editProgress(theirs, model(items, { planning: [], iterations: [] }))).toBe(theirs);
  });

  it('adds new tasks after the last one of their section and rows to the table', () => {
    const text = formatProgress(model([line('task-1', 'done')]));
    const edited = editProgress(
      text,
      model([line('task-1', 'done'), line('task-1-a', 'open')], {
        knowledge: [line('plan-knowledge-extraction', 'running')],
        iterations: [
          { iteration: 1, status: 'Complete', tasks: '1/1', feedbacks: 'N/A' },
          { iteration: 2, status: 'Planning', tasks: '0/0', feedbacks: '20260215-105500' },
        ],
      }),
    );
    expect(edited).toContain('- [x] task-1\n- [ ] task-1-a\n');
    expect(edited).toContain('## Knowledge Progress (Iteration 1)\n- [/] plan-knowledge-extraction\n');
    expect(parseProgress(edited).value.iterations.map((it) => it.status)).toEqual(['Complete', 'Planning']);
    expect(edited.indexOf('## Knowledge')).toBeLessThan(edited.indexOf('## Iterations'));
  });

  it('keeps every line that is no item byte for byte, whatever stands around the items', () => {
    const word = fc.stringMatching(/^[A-Za-z# .|\t-]{0,20}$/).filter((it) => !/^\s*#/.test(it));
    fc.assert(
      fc.property(
        fc.array(word),
        fc.constantFrom('\n', '\r\n'),
        anyStatus,
        anyStatus,
        (words, end, was, now) => {
          const [head, tail] = [words.slice(0, 3), words.slice(3)];
          const around = (marker: string) =>
            ['## Implementation Progress (Iteration 1)', ...head, marker, ...tail].join(end);
          const text = (status: typeof was) =>
            around(formatProgress(model([line('task-1', status)])).match(/^.*task-1.*$/m)?.[0] ?? '');
          expect(
            editProgress(text(was), model([line('task-1', now)], { planning: [], iterations: [] })),
          ).toBe(text(now));
        },
      ),
    );
  });
});
