import { join } from 'node:path';
import type { Disk } from '../../../base/disk.ts';
import { readText } from '../../../base/replace-file.ts';
import { knowledgeCategories, parseKnowledge } from '../../../session/knowledge.ts';
import type { KnowledgeItem } from '../../answers.ts';

/** One staged document in `knowledge/`. */
export interface StagedFile {
  /** Relative to `knowledge/`. */
  readonly file: string;
  readonly text: string;
  readonly item: KnowledgeItem;
  readonly promoted: boolean;
}

/** Every staged document, ordered by category and name. Its directory is its category. */
export const stagedFiles = (disk: Disk, knowledge: string): readonly StagedFile[] =>
  knowledgeCategories.flatMap((category) => {
    const directory = join(knowledge, category);
    if (disk.lstat(directory)?.kind !== 'directory') return [];
    return disk
      .readdir(directory)
      .filter((name) => name.endsWith('.md') && disk.lstat(join(directory, name))?.kind === 'file')
      .sort()
      .map((name): StagedFile => {
        const text = readText(disk, join(directory, name)) ?? '';
        const read = parseKnowledge(text, join(directory, name)).value;
        const item: KnowledgeItem = {
          category,
          name,
          body: read.body,
          source_artifacts: read.source_artifacts,
          source_iteration: read.source_iteration ?? 1,
          staged_at: read.staged_at ?? '',
          carried_from_iteration: read.carried_from_iteration,
          original_staged_at: read.original_staged_at,
          carry_reason: read.carry_reason,
        };
        return { file: `${category}/${name}`, text, item, promoted: read.promoted_at !== null };
      });
  });
