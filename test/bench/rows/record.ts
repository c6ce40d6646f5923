import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDisk } from '../../../src/base/disk.io.ts';
import { countJournal } from '../../../src/observability/statistics/read-statistics.ts';
import { createStatistics } from '../../../src/observability/statistics/statistics.ts';
import { type Event, eventBodySchema } from '../../../src/pipeline/event.ts';
import { sessionPaths } from '../../../src/session/paths.ts';
import { cleanEnvironment, programFile } from '../../helpers/program.ts';
import { type Row, sampleTurns, turnsRow } from '../measure.ts';

const sessions = 100;
const events = 10_000;

/** The page of a long session, and the statistics of many, each beside reading the same bytes as JSON. */
export const record = async (): Promise<readonly Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  try {
    return [statisticsRow(folder), pageRow(folder)];
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const statisticsRow = (folder: string): Row => {
  const file = join(folder, 'journal.jsonl');
  const lines = longSession().map((event) => JSON.stringify(event));
  writeFileSync(file, `${lines.join('\n')}\n`);
  const disk = createDisk();
  const ours = (): void => {
    const statistics = createStatistics((ms) => new Date(ms).toISOString().slice(0, 10));
    for (let index = 0; index < sessions; index += 1) countJournal(disk, file, statistics);
    statistics.result();
  };
  const bare = (): void => {
    for (let index = 0; index < sessions; index += 1)
      for (const line of readFileSync(file, 'utf8').split('\n')) if (line !== '') JSON.parse(line);
  };
  const name = `statistics of ${sessions} sessions of ${events} events`;
  return turnsRow(name, 'JSON.parse of every line', 0.5, sampleTurns(3, ours, bare));
};

const pageRow = (folder: string): Row => {
  const cwd = join(folder, 'workspace');
  const paths = sessionPaths(cwd, '260215-101500');
  mkdirSync(paths.directory, { recursive: true });
  writeFileSync(
    paths.journal,
    longSession()
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
  );
  const run = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(process.execPath, [programFile, ...args], {
      cwd,
      env: cleanEnvironment(),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`export exited ${status}: ${stderr}`);
  };
  const turns = sampleTurns(
    3,
    () => run('export', '--html', 'page.html'),
    () => run('status'),
  );
  return turnsRow(`export --html of ${events} events`, 'status of the same session', 3.2, turns);
};

/** A demo with the ordinary steps of agents between its events, up to the number. */
const longSession = (): readonly Event[] => {
  const demo = readFileSync(join(import.meta.dirname, '../../fixtures/journals/waves.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Event => {
      const { seq, at, ...body } = JSON.parse(line);
      return { ...eventBodySchema().parse(body), seq, at };
    });
  const between = Math.floor((events - demo.length) / demo.length);
  const long = demo.flatMap((event, index): readonly Event[] => [
    event,
    ...Array.from({ length: between }, (_, step): Event => {
      const call = `${index}-${Math.floor(step / 2)}`;
      const of = { invocation: 'Executor-7', task: 'html', attempt: 1, call };
      return step % 2 === 0
        ? {
            type: 'tool.started',
            ...of,
            title: `src/part-${index}.ts`,
            kind: 'edit',
            paths: [],
            seq: 0,
            at: event.at,
          }
        : { type: 'tool.ended', ...of, ok: true, changes: [], duration_ms: 40, seq: 0, at: event.at };
    }),
  ]);
  return long.slice(0, events).map((event, index) => ({ ...event, seq: index + 1 }));
};
