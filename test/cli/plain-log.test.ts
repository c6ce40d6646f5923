import { expect, test } from 'vitest';
import { createPlainLog } from '../../src/cli/plain/plain-log.ts';
import type { Event, EventBody } from '../../src/pipeline/event.ts';
import { eventSentence } from '../../src/words/events/event-sentence.ts';

const at = '2026-02-15T10:15:30.000Z';
const eventOf = (body: EventBody): Event => ({ ...body, seq: 1, at });

const logOf = (...bodies: readonly EventBody[]): readonly string[] => {
  const lines: string[] = [];
  const log = createPlainLog((line) => lines.push(line));
  for (const body of bodies) log(eventOf(body));
  return lines;
};

const output = (text: string): EventBody => ({
  type: 'output.written',
  invocation: 'Executor-1',
  task: 'build',
  attempt: 1,
  stream: 'stdout',
  text,
});

const ended: EventBody = {
  type: 'command.ended',
  invocation: 'Executor-1',
  task: 'build',
  attempt: 1,
  index: 0,
  exit: '1',
  ok: false,
  duration_ms: 1_234,
};

test('a problem is told with what to do about it', () => {
  const fault = { code: 'disk-full', what: 'the disk is full', where: 'journal.jsonl', hint: 'make room' };
  expect(logOf({ type: 'problem.found', fault })).toEqual([
    '10:15:30 problem: journal.jsonl: the disk is full; make room',
  ]);
});

test('a retry, a step of the plan and lessons are told in words of a person', () => {
  const at_ms = Date.parse(at) + 5_000;
  expect(
    logOf(
      { type: 'retry.scheduled', retry: 'r1', at_ms, tries: 2, invocation: 'Executor-1' },
      { type: 'plan-item.marked', item: 'plan-knowledge-approval', mark: 'cancelled' },
      { type: 'knowledge.staged', files: ['how-to/a.md'], carried: ['how-to/b.md'], dropped: [] },
    ),
  ).toEqual([
    '10:15:30 Executor-1 tries again in 5.0 s, retry 2',
    '10:15:30 knowledge approval skipped',
    '10:15:30 1 lesson learned, 1 carried over',
  ]);
});

test('a question and its answer name the task that asks', () => {
  const option = { id: 'approve', label: 'the work begins' };
  const amend = { id: 'minor', label: 'the work begins, with your message', words: 'must' } as const;
  const redo = { id: 'major', label: '', words: 'must' } as const;
  const text = 'Approve the plan for issue 2?';
  const asked = { type: 'question.asked', kind: 'plan-review', text } as const;
  const by = { by: 'kim', signal: null };
  expect(
    logOf(
      {
        ...asked,
        options: [option, amend, redo],
        request: 'plan:review-2',
        invocation: null,
        task: 'review-2',
      },
      { type: 'question.answered', request: 'plan:review-2', option: 'minor', answer: 'add a test', ...by },
      {
        ...asked,
        kind: 'merge',
        options: [{ ...option, id: 'minor' }],
        request: 'merge:1',
        invocation: null,
      },
      { type: 'question.answered', request: 'merge:1', option: 'minor', answer: 'minor', ...by },
    ),
  ).toEqual([
    '10:15:30 review-2 asks you: Approve the plan for issue 2? (approve: the work begins; amend: the work begins, with your message; redo)',
    '10:15:30 kim answered review-2: amend: add a test',
    '10:15:30 a question for you: Approve the plan for issue 2? (minor: the work begins)',
    '10:15:30 kim answered the question: minor',
  ]);
});

test('with a prompt each question and gate is followed by the line that answers it', () => {
  const lines: string[] = [];
  const log = createPlainLog((line) => lines.push(line), { hasPrompt: true });
  const approve = { id: 'approve', label: '' };
  const asked = { type: 'question.asked', text: 'Which?', invocation: null } as const;
  const bodies: readonly EventBody[] = [
    { ...asked, kind: 'plan-review', options: [approve], request: 'plan:review-2', task: 'review-2' },
    { ...asked, kind: 'ask', options: [], request: 'Executor-1.1' },
    { type: 'gate.opened', gate: 'plan', iteration: 1, deadline_ms: null, files: [] },
    {
      type: 'gate.opened',
      gate: 'knowledge',
      iteration: 1,
      deadline_ms: null,
      files: ['how-to/a.md'],
    },
  ];
  for (const body of bodies) log(eventOf(body));
  expect(lines).toEqual([
    '10:15:30 review-2 asks you: Which? (approve)',
    '         to answer, type: answer plan:review-2 approve',
    '10:15:30 a question for you: Which?',
    "         to answer, type: answer Executor-1.1 'your answer'",
    '10:15:30 the plan is waiting for approval',
    '         to answer, type: answer plan approve',
    '10:15:30 1 lesson to keep or drop: how-to/a.md',
    '         to answer, type: approve, or skip',
  ]);
});

test('the events of an agent at work name its task, as its commands do', () => {
  const invocation = 'Executor-1';
  const began = { task: 'build', attempt: 1, cycle: 1, messages: [] };
  expect(
    logOf(
      {
        type: 'invocation.started',
        invocation,
        role: 'Executor',
        mode: 'IMPLEMENT',
        backend: 'coder',
        ...began,
      },
      { type: 'agent.connected', invocation, label: 'coder', session: 's', began: 'new', reach: 'turn-end' },
      { type: 'invocation.paused', invocation, continuation: null },
      { type: 'finding.noted', invocation, text: 'no tests' },
    ),
  ).toEqual(['10:15:30 build paused', '10:15:30 build: no tests']);
});

test('a task that is done without an attempt names none', () => {
  expect(logOf({ type: 'task.qualified', task: 'merge', attempt: 0 })).toEqual(['10:15:30 merge done']);
});

test('an event is one line with the time in front', () => {
  expect(logOf({ type: 'task.failed', task: 'build', attempt: 2, reason: 'exit 1', counts: true })).toEqual([
    '10:15:30 build failed, attempt 2: exit 1',
  ]);
});

test('output comes in whole lines under the name of its task, however it was cut', () => {
  expect(logOf(output('one\ntw'), output('o\nthr'), output('ee'), ended)).toEqual([
    '         build | one',
    '         build | two',
    '         build | three',
    '10:15:30 build failed: exit 1 after 1.2 s',
  ]);
});

test('output without a newline is printed in parts and never kept whole', () => {
  const lines = logOf(...Array.from({ length: 100 }, () => output('x'.repeat(1_000))));
  expect(lines.length).toBeGreaterThan(15);
});

test('a progress bar shows its last state, and no control character gets through', () => {
  expect(
    logOf(output('10 %\r50 %\r100 %\n'), output('\u001b]52;c;aGk=\u0007\u001b[31mred\u001b[0m\n')),
  ).toEqual(['         build | 100 %', '         build | red']);
});

test('a message with line breaks and escapes stays one harmless line', () => {
  const line = eventSentence(
    eventOf({ type: 'hold.requested', signal: null, by: 'kim\u001b[2J', message: 'a\nb\u0007' }),
  );
  expect(line).toBe('pausing, requested by kim: a b');
});
