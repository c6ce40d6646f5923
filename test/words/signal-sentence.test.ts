import { expect, test } from 'vitest';
import { steerAction } from '../../src/agents/steer-tree.ts';
import { answeredAction } from '../../src/signals/check-answer.ts';
import { takenNow } from '../../src/signals/routing.ts';
import type { Signal, SteerVerdict } from '../../src/signals/signal.ts';
import { formatSignalEvent } from '../../src/words/events/signal-sentence.ts';

const when = { seq: 1, at: '2026-02-15T10:15:00.000Z' };
const onEnglish = (invocation: string): string | undefined =>
  invocation === 'Executor-6' ? 'english' : undefined;
const rejected = (file: string): string | null =>
  formatSignalEvent(
    { ...{ type: 'signal.rejected', id: null, file, reason: 'its name is too long' }, ...when },
    onEnglish,
  );

test('a rejected file is named with its reason, and a long name leaves the reason on the line', () => {
  expect(rejected('note.yaml')).toBe('signal note.yaml rejected: its name is too long');
  const long = rejected(`note-${'x'.repeat(200)}.yaml`);
  expect(long).toMatch(/^signal note-x+…x+\.yaml rejected: its name is too long$/);
  expect(long).toHaveLength('signal  rejected: its name is too long'.length + 48);
});

test('says what came of a signal, and by whom, in words of the screen', () => {
  const info = { type: 'INFO', target: 'ALL', message: 'port 8080' } as const;
  const handled = (action: string, by = 'Ralph-v2-Executor', signal: Signal = info): string | null =>
    formatSignalEvent(
      {
        ...{ type: 'signal.handled', id: 'i1', file: 'i1.yaml', signal, handled_by: by },
        ...{ checkpoint: 'Executor.3.5', action_taken: action, invocation: null, ...when },
      },
      onEnglish,
    );
  expect(handled('added to the context')).toBe('INFO "port 8080" read by an agent');
  expect(handled('added to the context with a new prompt', 'Executor~Executor-6')).toBe(
    'INFO "port 8080" read by the agent on english',
  );
  expect(
    handled(
      'Orchestrator~1: kept as guidance for later invocations · Executor~Executor-6: added to the context',
      'Ralph-v2-Orchestrator',
    ),
  ).toBe('INFO "port 8080" kept for later agents · read by the agent on english');
  const steer = { type: 'STEER', target: 'Executor', task: 'english', message: 'use bar' } as const;
  expect(
    handled(
      'adjust: STEER applied in-place: use bar (new prompt); evidence: no file was changed',
      'x',
      steer,
    ),
  ).toBe('STEER english "use bar" x adjusted its work: use bar (no file was changed)');
  expect(handled('done as you said', 'x', steer)).toBe(
    'STEER english "use bar" answered by x: done as you said',
  );
  expect(handled('pausing', 'Ralph-v2-Orchestrator', { type: 'PAUSE', target: 'ALL' })).toBe(
    'PAUSE: pausing',
  );
});

test('says what an agent did with a STEER in words of a person', () => {
  const decided = (verdict: SteerVerdict | 're-evaluated' | 'no answer', action: string, evidence = '') =>
    formatSignalEvent(
      { type: 'steer.decided', id: 's1', invocation: 'Executor-6', verdict, evidence, action, ...when },
      onEnglish,
    );
  expect(decided('adjust', steerAction('adjust', 'use bar'), 'it only adds')).toBe(
    'the agent on english adjusted its work: use bar (it only adds)',
  );
  expect(decided('restart', `${steerAction('restart', 'use bar')} (tool result)`)).toBe(
    'the agent on english started its step again: use bar',
  );
  expect(decided('escalate', steerAction('escalate', 'use bar'))).toBe(
    'the agent on english sent the task back to the Planner: use bar',
  );
  expect(decided('re-evaluated', steerAction('re-evaluated', 'use bar'))).toBe(
    'the agent on english checked its verdict again: use bar',
  );
  expect(decided('no answer', 'no answer from the agent (new prompt)')).toBe(
    'the agent on english did not answer it',
  );
});

test('an order that is taken at once, and the answer to a question, are told by what they cause', () => {
  const signal = { type: 'ANSWER', target: 'ALL', request: 'plan:review-2', option: 'approve' } as const;
  const pending = { type: 'signal.pending', pending: { id: 'a1', file: 'a1.yaml', signal } } as const;
  expect(formatSignalEvent({ ...pending, waits_for: takenNow, ...when }, onEnglish)).toBeNull();
  const handled = { type: 'signal.handled', id: 'a1', file: 'a1.yaml', signal, handled_by: 'x' } as const;
  const end = { ...handled, checkpoint: 'Orchestrator.watch', invocation: null, ...when };
  expect(formatSignalEvent({ ...end, action_taken: answeredAction }, onEnglish)).toBeNull();
  expect(formatSignalEvent({ ...end, action_taken: 'already answered by kim' }, onEnglish)).toBe(
    'ANSWER: already answered by kim',
  );
});

test('a claim is a step of the machine, and has no sentence', () => {
  const signal = { type: 'PAUSE', target: 'ALL' } as const;
  const claimed = { type: 'signal.claimed', id: 'p1', file: 'p1.yaml', signal } as const;
  expect(
    formatSignalEvent(
      { ...claimed, by: 'Orchestrator~2', checkpoint: 'Orchestrator.watch', ...when },
      onEnglish,
    ),
  ).toBeNull();
});
