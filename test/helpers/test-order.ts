import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that mostly wait: for the pace of the sample project, or for the ten seconds in which a broken signal may still be completed. Beside them
 * others compute; as the last ones they would leave the cores idle. A fresh clone remembers no times, and these files are short.
 */
const waiting: readonly RegExp[] = ['demo', 'demo-screen', 'secrets', 'paste', 'loop', 'by-hand'].map(
  (name) => new RegExp(`/test/e2e/${name}\\.test\\.ts$`),
);

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
  const waits = waiting.findIndex((pattern) => pattern.test(moduleId));
  if (waits >= 0) return waits;
  const folder = starting.test(readFileSync(moduleId, 'utf8')) ? folders : [];
  const place = folder.findIndex((pattern) => pattern.test(moduleId));
  return waiting.length + (place < 0 ? folders.length : place);
};

const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

/** vitest's own order (what failed and what took long first; without a memory of it large files first), but the files above begin their group. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map((await super.sort(files)).map((file) => [file, rank(file)]));
    return [...ranks.keys()].sort((a, b) => group(a) - group(b) || (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  }
}
