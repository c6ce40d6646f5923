import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that mostly wait: for the pace of the sample project, or for the ten seconds in which a broken signal may still be completed. Beside them
 * others compute; as the last ones they would leave the cores idle. A fresh clone remembers no times, and these files are short.
 */
const waiting: readonly RegExp[] = ['demo', 'demo-screen', 'secrets', 'paste', 'loop', 'by-hand'].map(
  (name) => new RegExp(`/test/e2e/${name}\\.test\\.ts$`),
);

/**
 * Folders whose tests start git and agents. Linux copies the page tables of a worker at each start of a process, 3 ms for 100 MB, and a worker
 * grows with each file it runs: behind the other folders these take twice as much processor time.
 */
const spawning: readonly RegExp[] = [
  /\/test\/(?:changes|runners)\//,
  /\/test\/(?:agents|torture)\//,
  /\/test\/(?:engine|discovery|page)\//,
  /\/test\/(?:cli|repository)\//,
];

const first = [...waiting, ...spawning];

const rank = ({ moduleId }: TestSpecification): number => {
  const found = first.findIndex((pattern) => pattern.test(moduleId));
  return found < 0 ? first.length : found;
};

const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

/** vitest's own order (what failed and what took long first; without a memory of it large files first), but the files above begin their group. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => group(a) - group(b) || rank(a) - rank(b));
  }
}
