import { expect, test } from 'vitest';
import type { AgentFact } from '../../../src/agents/agent-facts.ts';
import { createToolBook } from '../../../src/agents/backends/acp/tool-book.ts';

const begin = () => {
  const facts: AgentFact[] = [];
  const at = { ms: 0 };
  const book = createToolBook(
    (fact) => facts.push(fact),
    () => at.ms,
  );
  const took = () => facts.flatMap((fact) => (fact.type === 'tool.ended' ? [fact.duration_ms] : []));
  return { book, at, took, facts };
};

const call = { toolCallId: 'c1', title: 'npm test' };

test('the time of a call has no wait for an answer, however often it asks', () => {
  const { book, at, took } = begin();
  book.take({ ...call, status: 'in_progress' });
  for (const [asked, answered] of [
    [1_000, 21_000],
    [22_000, 25_000],
  ] as const) {
    at.ms = asked;
    const { id } = book.ask(call).call;
    at.ms = answered;
    book.answered(id, false);
  }
  at.ms = 28_000;
  book.take({ ...call, status: 'completed' });
  expect(took()).toEqual([5_000]);
});

test('a call that was refused worked until it asked', () => {
  const { book, at, took } = begin();
  at.ms = 300;
  const { id } = book.ask(call).call;
  at.ms = 21_000;
  book.answered(id, true);
  expect(took()).toEqual([0]);
});

test('a reply that ends while a call still asks ends its call without the wait', () => {
  const { book, at, took, facts } = begin();
  book.take({ ...call, status: 'in_progress' });
  at.ms = 2_000;
  book.ask(call);
  at.ms = 9_000;
  book.endAll();
  expect(took()).toEqual([2_000]);
  // It was never run, so it did not fail.
  expect(facts.at(-1)).toMatchObject({ type: 'tool.ended', unanswered: true });
});
