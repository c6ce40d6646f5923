import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDisk } from '../../../src/base/disk.io.ts';
import { readJournal } from '../../../src/observability/journal-file.ts';
import type { Event, EventBody } from '../../../src/pipeline/event.ts';
import { evolve } from '../../../src/pipeline/evolve.ts';
import type { SessionState } from '../../../src/pipeline/state.ts';
import { defaultSettings } from '../../../src/session/settings.ts';
import { atMost, median, type Row, sampleTurns, spreadOf } from '../measure.ts';

const events = 200_000;

/** Reading a journal and folding it, beside parsing the same lines as one array. */
export const replay = async (): Promise<readonly Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  try {
    const file = join(folder, 'journal.jsonl');
    const text = journalOf(events, '261121-101500', '/bench');
    writeFileSync(file, text);
    const disk = createDisk();
    const array = `[${text.trimEnd().replaceAll('\n', ',')}]`;
    const turns = sampleTurns(
      5,
      () => {
        let state: SessionState | null = null;
        for (const event of readJournal(disk, file).events) state = evolve(state, event);
      },
      () => void JSON.parse(array),
    );
    const [ours, bare] = [median(turns.ours), median(turns.base)];
    const rateOf = (ms: number): number => (events / ms) * 1_000;
    return [
      {
        name: `journal replay, ${events} events`,
        value: rateOf(ours),
        unit: 'events/s',
        base: { name: 'JSON.parse', value: rateOf(bare) },
        ...atMost(4, ours, bare),
        spread: spreadOf(turns.ours.map(rateOf)),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** A long session of one big task: the ordinary mixture of commands and checkpoints. */
export const journalOf = (events: number, session: string, workspace: string): string => {
  const bodies: EventBody[] = [
    {
      type: 'session.created',
      session_id: session,
      workspace,
      goal: 'bench',
      source: 'plan',
      settings: defaultSettings,
    },
    {
      type: 'invocation.started',
      invocation: 'Executor-1',
      role: 'Executor',
      mode: 'IMPLEMENT',
      backend: 'script',
      cycle: 0,
      messages: [],
    },
  ];
  for (let index = 0; bodies.length < events; index += 1)
    bodies.push(
      {
        type: 'command.started',
        invocation: 'Executor-1',
        task: 'big',
        attempt: 1,
        index,
        of: events,
        purpose: 'run',
        command: { cmd: `node step.js --number ${index}` },
        marker: `${session}/Executor-1`,
      },
      { type: 'process.started', invocation: 'Executor-1', index, pid: 4_000 + index, start_time: '123456' },
      {
        type: 'command.ended',
        invocation: 'Executor-1',
        task: 'big',
        attempt: 1,
        index,
        exit: '0',
        ok: true,
        duration_ms: 12,
        log: { file: 'logs/big-r1.log', from: index * 80, to: index * 80 + 80 },
      },
      {
        type: 'checkpoint.reached',
        agent: 'Executor',
        checkpoint: 'Executor.3.5',
        invocation: 'Executor-1',
      },
    );
  return bodies
    .slice(0, events)
    .map((body, index): Event => ({ ...body, seq: index + 1, at: '2026-11-21T10:15:00.000Z' }))
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');
};
