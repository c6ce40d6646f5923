import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that mostly wait: for the pace of the sample project, or for the ten seconds in which a broken signal may still be mended. Beside them
 * others compute; as the last ones they would leave the cores idle. A fresh clone remembers no times, and these files are short.
 */
const waiting: readonly string[] = [
  'e2e/demo.test.ts',
  'e2e/demo-screen.test.ts',
  'e2e/secrets.test.ts',
  'e2e/paste.test.ts',
  'e2e/loop.test.ts',
  'e2e/by-hand.test.ts',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const found = waiting.findIndex((file) => moduleId.endsWith(`/test/${file}`));
  return found < 0 ? waiting.length : found;
};

const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

/** vitest's own order (what failed and what took long first; without a memory of it large files first), but the files that wait begin their group. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => group(a) - group(b) || rank(a) - rank(b));
  }
}
