import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that mostly wait (for the pace of the sample projects, for npm, for the ten seconds in which a broken signal may still be completed), or whose
 * long form takes minutes in one worker. Beside them others compute; as the last ones they would leave the cores idle. A fresh clone remembers no
 * times, and by its size none of these files looks long.
 */
const long: readonly RegExp[] = [
  'e2e/demo-hero',
  'e2e/demo-team',
  'e2e/runners',
  'e2e/hostile-mailbox',
  'e2e/killed-in-git',
  'e2e/fence',
  'e2e/demo',
  'e2e/demo-screen',
  'e2e/secrets',
  'e2e/paste',
  'e2e/loop',
  'e2e/by-hand',
  'repository/package',
  'repository/site',
].map((name) => new RegExp(`/test/${name}\\.test\\.ts$`));

/**
 * What files import whose tests start git and agents. Linux copies the page tables of a worker at each start of a process and throws them away with it,
 * 3 ms each for 100 MB, and a worker grows with each file it runs: behind the files that compute these took three times as much processor time.
 */
const starting =
  /from '(?:node:child_process|[./]+(?:[\w-]+\/)*(?:changes|changes-template|repository|real-session|remote-session|page-session|acp-backend|scripted-agent|skill-workspace|worker-bench|program)\.ts)'/;

/** Of these, who starts the most and computes the least comes first. */
const folders: readonly RegExp[] = [
  /\/test\/(?:changes|runners)\//,
  /\/test\/cli\//,
  /\/test\/(?:agents|engine)\//,
  // Those of e2e all start programs.
  /\/test\/(?!e2e\/)/,
];

const rank = ({ moduleId }: TestSpecification): number => {
  const early = long.findIndex((pattern) => pattern.test(moduleId));
  if (early >= 0) return early;
  const folder = starting.test(readFileSync(moduleId, 'utf8')) ? folders : [];
  const place = folder.findIndex((pattern) => pattern.test(moduleId));
  return long.length + (place < 0 ? folders.length : place);
};

const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

/** vitest's own order (what failed and what took long first; without a memory of it large files first), but the files above begin their group. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map((await super.sort(files)).map((file) => [file, rank(file)]));
    return [...ranks.keys()].sort((a, b) => group(a) - group(b) || (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  }
}
