import { describe, expect, test } from 'vitest';
import { maxLines } from '../../components/output/mutable-log.ts';
import { createOutputLogs, type OutputLogs } from '../../components/output/output-logs.ts';
import { maxLineLength } from '../../components/output/text-line.ts';
import { outputKey } from '../../components/tasks/output-key.ts';
import type { EventBody } from '../../src/pipeline/event.ts';

import { eventSamples } from '../helpers/event-samples.ts';
import { executorOutcome } from '../helpers/outcomes.ts';

const told = (...bodies: readonly EventBody[]): OutputLogs => {
  const logs = createOutputLogs();
  bodies.forEach((body, index) => {
    logs.take({ ...body, seq: index + 1, at: '2026-02-15T03:15:00.000Z' });
  });
  return logs;
};
const start: EventBody = {
  type: 'invocation.started',
  invocation: 'Executor-1',
  role: 'Executor',
  mode: 'IMPLEMENT',
  backend: 'script',
  cycle: 1,
  task: 'lint',
  attempt: 2,
  messages: [],
};
const out = (text: string): EventBody => ({
  type: 'output.written',
  invocation: 'Executor-1',
  stream: 'stdout',
  text,
});
const texts = (logs: OutputLogs): readonly string[] =>
  (logs.logs.get(outputKey('lint', 2))?.lines ?? []).slice(1).map((line) => line.text);

describe('the output logs', () => {
  test('joins chunks that end in the middle of a line and keeps the open line as the last one', () => {
    expect(texts(told(start, out('one\ntw'), out('o\nthr')))).toEqual(['one', 'two', 'thr']);
  });

  test('shows a progress bar as it stands last, also when its carriage returns come in pieces', () => {
    expect(texts(told(start, out(' 10%\r 50%'), out('\r100%'), out('\ndone\r'), out('\n')))).toEqual([
      '100%',
      'done',
    ]);
  });

  const ended: EventBody = {
    type: 'invocation.ended',
    invocation: 'Executor-1',
    outcome: executorOutcome('lint', 2),
  };

  test.each([
    [
      'one line',
      '{"status":"completed","summary":["Wrote a.txt."],"files_modified":["a.txt"]}\n',
      'result: completed · Wrote a.txt.',
    ],
    [
      'a fence',
      '```json\n{\n  "status": "failed",\n  "summary": ["No a.txt.", "No b.txt."]\n}\n```\n\n',
      'result: failed · No a.txt. · and 1 more',
    ],
    ['a verdict', '{"verdict":"Qualified","summary":"It works."}', 'result: Qualified · It works.'],
    ['a plan', '{"approach":[],"tasks":[{"id":"a"},{"id":"b"}]}', 'result: 2 tasks'],
    ['a pull request', '{"title":"Greet in the evening","body":"**What**"}', 'result: Greet in the evening'],
  ])('folds the answer of an agent, %s, into a line for people when it has ended', (_, json, line) => {
    expect(texts(told(start, out(`Done.\n${json}`), ended))).toEqual(['Done.', line]);
  });

  test.each(['{"name": "a package"}', '{half', 'All is done {really}', '["a"]'])(
    'leaves %s as it is, for it is no answer',
    (text) => {
      expect(texts(told(start, out(text), ended))).toEqual([text]);
    },
  );

  test('keeps an edit apart from a command of the agent: only that has a prompt', () => {
    const call = (kind: 'edit' | 'execute'): EventBody => ({
      type: 'tool.started',
      invocation: 'Executor-1',
      call: kind,
      title: kind,
      kind,
      paths: [],
    });
    const logs = told(start, call('edit'), call('execute'));
    expect(logs.logs.get(outputKey('lint', 2))?.lines.slice(1)).toMatchObject([
      { text: 'edit', purpose: 'tool' },
      { text: 'execute', purpose: 'execute' },
    ]);
  });

  test('counts the time of a running call without its waits for an answer', () => {
    const of = { invocation: 'Executor-1', task: 'lint', attempt: 2 };
    const asked = { ...eventSamples['permission.asked'], ...of, call: 'b' };
    const answered = { ...eventSamples['permission.answered'], ...of };
    const call = (id: string): EventBody => ({ ...eventSamples['tool.started'], ...of, call: id });
    const logs = createOutputLogs();
    const at = (seconds: number, body: EventBody): boolean =>
      logs.take({ ...body, seq: seconds, at: new Date(seconds * 1_000).toISOString() });
    at(0, start);
    at(1, call('a'));
    at(2, call('b'));
    at(3, asked);
    expect(at(23, answered)).toBe(true);
    at(24, asked);
    at(29, answered);
    const starts = logs.logs
      .get(outputKey('lint', 2))
      ?.lines.flatMap((line) => (line.kind === 'command' ? [Date.parse(line.since) / 1_000] : []));
    expect(starts).toEqual([1, 27]);
  });

  test('tells a call that was refused from one that failed, and no time of it', () => {
    const call = (id: string): EventBody => ({
      type: 'tool.started',
      invocation: 'Executor-1',
      call: id,
      title: id,
      kind: 'edit',
      paths: [],
    });
    const end = {
      type: 'tool.ended',
      invocation: 'Executor-1',
      ok: false,
      changes: [],
      duration_ms: 1,
    } as const;
    const logs = told(
      start,
      call('a'),
      { ...end, call: 'a', refused: true },
      call('b'),
      {
        ...end,
        call: 'b',
      },
      call('c'),
      { ...end, call: 'c', unanswered: true },
    );
    expect(logs.logs.get(outputKey('lint', 2))?.lines.slice(1)).toMatchObject([
      { end: { exit: 'refused', durationMs: null } },
      { end: { exit: 'failed', durationMs: 1 } },
      { end: { exit: 'not run', durationMs: null } },
    ]);
  });

  test('folds the answer of a program that is an agent, although its command printed it, when that ends', () => {
    const command = { invocation: 'Executor-1', index: 0, of: 1, purpose: 'run' } as const;
    const events: readonly EventBody[] = [
      { ...start, backend: 'sample' },
      { type: 'command.started', ...command, command: { cmd: ['node', 'agent.mjs'] }, marker: 'm' },
      out('Reading the plan.\n{"verdict":"APPROVED","summary":["Every criterion has a check."]}\n'),
      { type: 'command.ended', ...command, ok: true, exit: '0', duration_ms: 1 },
    ];
    for (const logs of [told(...events), told(...events, ended)])
      expect(logs.logs.get(outputKey('lint', 2))?.lines.slice(1)).toMatchObject([
        { kind: 'command', until: 3 },
        { text: 'Reading the plan.' },
        { kind: 'note', text: 'result: APPROVED · Every criterion has a check.' },
      ]);
  });

  test('leaves what a command printed, whatever it looks like', () => {
    const command = { invocation: 'Executor-1', index: 0, of: 1, purpose: 'run' } as const;
    const logs = told(
      start,
      { type: 'command.started', ...command, command: { cmd: 'cat a.json' }, marker: 'm' },
      out('{"status":"completed"}\n'),
      { type: 'command.ended', ...command, ok: true, exit: '0', duration_ms: 1 },
      ended,
    );
    expect(texts(logs)).toEqual(['cat a.json', '{"status":"completed"}']);
  });

  test('a command whose agent was cut off ends with it, without a time that nobody measured', () => {
    const logs = told(
      start,
      {
        type: 'command.started',
        invocation: 'Executor-1',
        index: 0,
        of: 1,
        purpose: 'run',
        command: { cmd: 'npm test' },
        marker: 'm',
      },
      out('half\n'),
      { type: 'invocation.interrupted', invocation: 'Executor-1', reason: 'crash' },
    );
    const command = logs.logs.get(outputKey('lint', 2))?.lines[1];
    expect(command).toMatchObject({ end: { ok: false, exit: 'cut off', durationMs: null }, until: 3 });
  });

  test('a colour holds over the end of its line, until it is taken back or something else begins', () => {
    const logs = told(
      start,
      out('\u001b[31mbad\nstill'),
      out(' bad\n\u001b[0mfine\n\u001b[32mgo\n'),
      {
        type: 'finding.noted',
        invocation: 'Executor-1',
        text: 'found',
      },
      out('plain\n'),
    );
    const lines = (logs.logs.get(outputKey('lint', 2))?.lines ?? []).slice(1);
    expect(lines.map((line) => (line.kind === 'text' ? line.styles : line.kind))).toEqual([
      [{ from: 0, codes: '31' }],
      [{ from: 0, codes: '31' }],
      [{ from: 0, codes: '' }],
      [{ from: 0, codes: '32' }],
      'note',
      undefined,
    ]);
  });

  test('lets no escape sequence through', () => {
    expect(texts(told(start, out('a\u001b]52;c;aGk=\u0007b\u001b[2Jc\u202e\n')))).toEqual(['abc']);
  });

  test('a line without end stays bounded', () => {
    const logs = told(start, ...Array.from({ length: 50 }, () => out('x'.repeat(1_000))));
    expect(texts(logs).map((text) => text.length)).toEqual([maxLineLength]);
  });

  test('of a line without end keeps the beginning and what came last', () => {
    const parts = Array.from({ length: 50 }, (_, index) => out(`${index}:${'x'.repeat(996)} `));
    const [text = ''] = texts(told(start, out('begins '), ...parts, out('and the newest words')));
    expect(text).toMatch(/^begins 0:x.* … .*49:x+ and the newest words$/);
    expect(text.split(' … ')).toHaveLength(2);
  });

  test('keeps the newest lines and says how many it let go', () => {
    const total = maxLines * 3;
    const logs = told(start, ...Array.from({ length: total }, (_, index) => out(`line ${index}\n`)));
    const log = logs.logs.get(outputKey('lint', 2));
    expect(log?.lines.at(-1)).toEqual({ kind: 'text', text: `line ${total - 1}` });
    expect((log?.dropped ?? 0) + (log?.lines.length ?? 0)).toBe(total + 1);
    expect(log?.lines.length).toBeLessThan(maxLines * 1.2);
  });

  test('a command’s line tells its end when it has come', () => {
    const command: EventBody = {
      type: 'command.started',
      invocation: 'Executor-1',
      index: 0,
      of: 1,
      purpose: 'run',
      command: { cmd: ['npm', 'test'] },
      marker: 'm',
    };
    const end: EventBody = {
      type: 'command.ended',
      invocation: 'Executor-1',
      index: 0,
      exit: 'exit 1',
      ok: false,
      duration_ms: 5,
    };
    const before = told(start, command, out('half a line'));
    const after = told(start, command, out('half a line'), end, out('next\n'));
    expect(before.logs.get(outputKey('lint', 2))?.lines[1]).toMatchObject({
      kind: 'command',
      text: 'npm test',
      end: null,
    });
    expect(after.logs.get(outputKey('lint', 2))?.lines[1]).toMatchObject({
      end: { ok: false, exit: 'exit 1' },
    });
    expect(texts(after)).toEqual(['npm test', 'half a line', 'next']);
  });

  test('what a Reviewer runs stands in the log of the attempt it checks', () => {
    const review: EventBody = { ...start, invocation: 'Reviewer-2', role: 'Reviewer', mode: 'TASK_REVIEW' };
    const logs = told(start, review, {
      ...out('checked\n'),
      type: 'output.written',
      invocation: 'Reviewer-2',
      stream: 'stdout',
      text: 'checked\n',
    });
    expect(texts(logs)).toContain('checked');
  });

  test('says what an invocation without a task came to: its work is no output of a command', () => {
    const librarian: EventBody = {
      type: 'invocation.started',
      invocation: 'Librarian-2',
      role: 'Librarian',
      mode: 'STAGE',
      backend: 'script',
      cycle: 1,
      messages: [],
    };
    const noted = (body: EventBody) =>
      told(librarian, body)
        .logs.get('Librarian-2')
        ?.lines.slice(1)
        .map((line) => (line.kind === 'note' ? [line.text, line.tone] : line.kind));
    const staged: EventBody = {
      type: 'knowledge.staged',
      files: ['how-to/a.md', 'reference/b.md'],
      carried: ['reference/b.md'],
      dropped: ['how-to/c.md'],
      invocation: 'Librarian-2',
    };
    expect(noted(staged)).toEqual([
      ['wrote how-to/a.md', 'plain'],
      ['carried reference/b.md', 'plain'],
      ['dropped how-to/c.md', 'plain'],
    ]);
    expect(noted({ ...staged, files: [], carried: [], dropped: [] })).toEqual([
      ['found nothing to learn', 'plain'],
    ]);
    const reviewed: EventBody = {
      type: 'session.reviewed',
      assessment: '1 of 2 tasks is done.',
      goals_achieved: false,
      gaps: Array.from({ length: 22 }, (_, index) => `gap ${index}`),
      invocation: 'Librarian-2',
    };
    expect(noted(reviewed)?.[0]).toEqual(['goals not achieved. 1 of 2 tasks is done.', 'bad']);
    expect(noted(reviewed)?.at(-1)).toEqual(['and 2 more', 'plain']);
    expect(noted({ type: 'knowledge.promoted', files: ['how-to/a.md'], invocation: 'Librarian-2' })).toEqual([
      ['kept how-to/a.md', 'good'],
    ]);
  });

  test('keeps the first changed lines of an edit with its call, and counts the others', () => {
    const of = { invocation: 'Executor-1', call: 'c1' };
    const logs = told(
      start,
      { type: 'tool.started', ...of, title: 'a.ts', kind: 'edit', paths: ['a.ts'] },
      {
        type: 'tool.ended',
        ...of,
        ok: true,
        changes: [{ path: 'a.ts', added: 4, removed: 1, start: '-old\n+new\u001b[31m' }],
        duration_ms: 5,
      },
    );
    expect(logs.logs.get(outputKey('lint', 2))?.lines.at(-1)).toMatchObject({
      text: 'edit: a.ts +4 −1',
      diff: { lines: ['-old', '+new'], more: 3 },
    });
  });

  test('tells the words of an agent from what a command prints', () => {
    const command = { invocation: 'Executor-1', index: 0, of: 1 };
    const logs = told(
      { ...start, backend: 'claude' },
      out('# Title\n'),
      { type: 'command.started', ...command, purpose: 'verify', command: { cmd: 'npm test' }, marker: 'm' },
      out('# no title\n'),
      { type: 'command.ended', ...command, exit: 'exit 0', ok: true, duration_ms: 5 },
      out('```ts\n'),
    );
    const lines = logs.logs.get(outputKey('lint', 2))?.lines ?? [];
    expect(lines.flatMap((line) => (line.kind === 'text' ? [[line.text, line.said?.kind]] : []))).toEqual([
      ['# Title', 'words'],
      ['# no title', undefined],
      ['```ts', 'opens'],
    ]);
  });
});
