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
import { type Row, sampleTurns, sampleTurnsAsync, turnsRow } from '../measure.ts';

const count = 10_000;
const inGroup = 1_000;

/** Listing many issues, what is ready, and where a large group stands, each warm. */
export const issues = async (): Promise<readonly Row[]> => {
  const root = mkdtempSync(join(tmpdir(), 'ralph-tui-bench-'));
  try {
    const rows = [
      await nativeRow(root),
      await fileRow(root, prdFormat, prdText(), 9, 'reading it as JSON', (text) => JSON.parse(text)),
      await fileRow(root, markdownFormat, listText(), 26, 'reading its lines', (text) =>
        text.split('\n').map((line) => /^- \[( |x)\] (\w+): (.*?)(?: \(blocked by (.*)\))?$/.exec(line)),
      ),
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
  return listRow('native', createNativeTracker(ports(root)), 3, 'reading the files', () =>
    readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8')),
  );
};

const fileRow = async (
  root: string,
  format: IssueFormat,
  text: string,
  most: number,
  base: string,
  read: (text: string) => unknown,
): Promise<Row> => {
  const path = join(root, format.name);
  writeFileSync(path, text);
  return listRow(format.name, createFileTracker(ports(root), format, path, format.name), most, base, () =>
    read(readFileSync(path, 'utf8')),
  );
};

const listRow = async (
  name: string,
  tracker: Tracker,
  most: number,
  base: string,
  bare: () => unknown,
): Promise<Row> => {
  const turns = await sampleTurnsAsync(
    7,
    () => tracker.list(),
    async () => bare(),
  );
  return turnsRow(`list of ${count} issues, ${name}`, base, most, turns);
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
  const turns = sampleTurns(
    15,
    () => void readyIssues(indexIssues(all)),
    () => {
      const byId = new Map(all.map((issue) => [issue.id, issue]));
      all.filter(({ blockedBy }) => blockedBy.every((id) => byId.get(id)?.state === 'Done'));
    },
    5,
  );
  return turnsRow(`ready set of ${count} issues`, 'a map of them, and the blockers of each', 9, turns);
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
  const turns = sampleTurns(
    15,
    () => void positionOf(index, groupOf(index, '1'), options),
    () => void JSON.stringify(group),
    10,
  );
  return turnsRow(`group and position of ${inGroup} issues`, 'writing them as JSON', 12, turns);
};
