import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClock } from '../../../src/base/clock.io.ts';
import { createDisk } from '../../../src/base/disk.io.ts';
import { createRandom } from '../../../src/base/random.io.ts';
import { groupOf } from '../../../src/issues/group.ts';
import type { Issue } from '../../../src/issues/issue.ts';
import { indexIssues, readyIssues } from '../../../src/issues/issue-index.ts';
import { positionOf } from '../../../src/issues/position/position.ts';
import { markdownFormat } from '../../../src/issues/trackers/markdown.ts';
import { createNativeTracker } from '../../../src/issues/trackers/native.ts';
import { createFileTracker, type IssueFormat } from '../../../src/issues/trackers/one-file.ts';
import { prdFormat } from '../../../src/issues/trackers/prd.ts';
import type { Tracker } from '../../../src/issues/trackers/tracker.ts';
import { below } from '../limits.ts';
import { median, type Row, sample, sampleAsync, spreadOf } from '../measure.ts';

const count = 10_000;
const inGroup = 1_000;

/** Listing many issues, what is ready, and where a large group stands, each warm. */
export const issues = async (): Promise<readonly Row[]> => {
  const root = mkdtempSync(join(tmpdir(), 'ralph-tui-bench-'));
  try {
    const rows = [
      await nativeRow(root),
      await fileRow(root, prdFormat, prdText()),
      await fileRow(root, markdownFormat, listText()),
    ];
    const reading = await createNativeTracker(ports(root)).list();
    if (!reading.ok) throw new Error(reading.error.what);
    return [
      ...rows,
      readyRow(reading.issues),
      positionRow(reading.issues.filter(({ number = 0 }) => number <= inGroup)),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

const ports = (workspace: string) => ({
  disk: createDisk(),
  clock: createClock(),
  random: createRandom(),
  workspace,
});

const numbers = Array.from({ length: count }, (_, index) => index + 1);

const nativeRow = async (root: string): Promise<Row> => {
  const directory = join(root, '.ralph/issues');
  mkdirSync(directory, { recursive: true });
  for (const number of numbers)
    writeFileSync(
      join(directory, `${number}.md`),
      `---\ntitle: Issue ${number}\nstate: research-needed\nestimate: S\nlabels: [a, b]\nblockedBy: [${number === 1 ? '' : number - 1}]\n---\n\nThe text of the issue.\n`,
    );
  const bare = sample(
    5,
    () => void readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8')),
  );
  return listRow('native', createNativeTracker(ports(root)), 'reading the files', median(bare));
};

const fileRow = async (root: string, format: IssueFormat, text: string): Promise<Row> => {
  const path = join(root, format.name);
  writeFileSync(path, text);
  const bare = sample(
    5,
    () =>
      void readFileSync(path, 'utf8')
        .split('\n')
        .map((line) => line.trim()),
  );
  return listRow(
    format.name,
    createFileTracker(ports(root), format, path, format.name),
    'reading its lines',
    median(bare),
  );
};

const listRow = async (name: string, tracker: Tracker, base: string, bare: number): Promise<Row> => {
  const samples = await sampleAsync(7, () => tracker.list());
  const ours = median(samples);
  return {
    name: `list of ${count} issues, ${name}`,
    value: ours,
    unit: 'ms',
    base: { name: base, value: bare },
    ...below(ours, 200, 'ms'),
    spread: spreadOf(samples),
  };
};

const prdText = (): string =>
  JSON.stringify({
    userStories: numbers.map((number) => ({
      id: `US-${number}`,
      title: `Story ${number}`,
      description: 'Text.',
      passes: false,
      dependsOn: number === 1 ? [] : [`US-${number - 1}`],
    })),
  });

const listText = (): string =>
  numbers.map((number) => `- [ ] T${number}: Title ${number} (blocked by T${number - 1})`).join('\n');

const readyRow = (all: readonly Issue[]): Row => {
  const samples = sample(15, () => void readyIssues(indexIssues(all)), 5);
  const bare = median(sample(15, () => void all.toSorted((a, b) => (a.id < b.id ? -1 : 1)), 5));
  const ours = median(samples);
  return {
    name: `ready set of ${count} issues`,
    value: ours,
    unit: 'ms',
    base: { name: 'sorting them by id', value: bare },
    ...below(ours, 50, 'ms'),
    spread: spreadOf(samples),
  };
};

const positionRow = (group: readonly Issue[]): Row => {
  const index = indexIssues(group);
  const options = {
    review: 'auto',
    autoMerge: true,
    planned: new Set<string>(),
    me: null,
    streams: 1,
  } as const;
  const samples = sample(15, () => void positionOf(index, groupOf(index, '1'), options), 10);
  const bare = median(sample(15, () => void JSON.stringify(group), 5));
  const ours = median(samples);
  return {
    name: `group and position of ${inGroup} issues`,
    value: ours,
    unit: 'ms',
    base: { name: 'writing them as JSON', value: bare },
    ...below(ours, 20, 'ms'),
    spread: spreadOf(samples),
  };
};
