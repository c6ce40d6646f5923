import { expect, test } from 'vitest';
import type { Signal } from '../../src/signals/signal.ts';
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
  expect(handled('adjust: uses bar', 'Ralph-v2-Executor', steer)).toBe(
    'STEER english "use bar" answered by the agent on english: adjust: uses bar',
  );
  expect(handled('pausing', 'Ralph-v2-Orchestrator', { type: 'PAUSE', target: 'ALL' })).toBe('PAUSE pausing');
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
