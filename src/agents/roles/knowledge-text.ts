import { formatFrontMatter } from '../../tasks/front-matter.ts';
import type { Brief } from '../port.ts';
import type { KnowledgeItem } from './answers.ts';
import { oneLine, table } from './markdown.ts';

/** A staged document (session-format.md, Knowledge file). */
export const formatKnowledgeItem = (brief: Brief, item: KnowledgeItem): string =>
  formatFrontMatter(
    {
      category: item.category,
      source_session: brief.session,
      source_iteration: item.source_iteration,
      source_artifacts: item.source_artifacts,
      staged_at: item.staged_at,
      carried_from_iteration: item.carried_from_iteration,
      original_staged_at: item.original_staged_at,
      carry_reason: item.carry_reason,
    },
    `# ${oneLine(item.title)}\n\n${item.body.trim()}\n`,
  );

/** `knowledge/index.md`: File, Category, Source Artifacts, Staged At; what was carried says so. */
export const formatKnowledgeTable = (title: string, items: readonly KnowledgeItem[]): string =>
  `# ${title}\n\n${table(
    ['File', 'Category', 'Source Artifacts', 'Staged At'],
    items.map((item) => [
      `[${item.name}](${item.category}/${item.name})${item.carried_from_iteration === null ? '' : ' (carried)'}`,
      item.category,
      item.source_artifacts.join(', '),
      item.staged_at,
    ]),
  )}\n`;
