import type { Fault, Parsed } from '../base/fault.ts';
import { editFrontMatter, formatFrontMatter, parseFrontMatter } from '../tasks/front-matter.ts';
import { formatRow, tableRows } from '../tasks/sections.ts';
import { textOf, whole } from './metadata-file.ts';

/** The four kinds of documentation (Diátaxis) as directory names, in display order. */
export const knowledgeCategories = ['tutorials', 'how-to', 'reference', 'explanation'] as const;
type KnowledgeCategory = (typeof knowledgeCategories)[number];

/** A staged or promoted knowledge file (src/session/README.md, Knowledge file). */
export interface Knowledge {
  readonly category: KnowledgeCategory;
  readonly source_session: string;
  readonly source_iteration: number;
  readonly source_artifacts: readonly string[];
  readonly staged_at: string;
  readonly carried_from_iteration: number | null;
  readonly original_staged_at: string | null;
  readonly carry_reason: string | null;
  /** Set by promotion. A promoted file is never carried or promoted again. */
  readonly promoted_at: string | null;
  readonly body: string;
}

/** The readable part of a knowledge file. A foreign document has no `source_session`. */
interface ReadKnowledge
  extends Omit<Knowledge, 'category' | 'source_session' | 'source_iteration' | 'staged_at'> {
  readonly category: KnowledgeCategory | null;
  readonly source_session: string | null;
  readonly source_iteration: number | null;
  readonly staged_at: string | null;
}

export const parseKnowledge = (text: string, file: string): Parsed<ReadKnowledge> => {
  const { value: matter, problems: found } = parseFrontMatter(text, file);
  const problems: Fault[] = [...found];
  const { data } = matter;
  const category = categoryOf(data['category']);
  if (category === null && data['category'] !== undefined) {
    const what = `category: ${String(data['category']).slice(0, 40)} is not one of ${knowledgeCategories.join(', ')}`;
    problems.push({
      code: 'knowledge-category',
      what,
      where: `${file}:${matter.yaml?.line(['category']) ?? 1}`,
    });
  }
  const artifacts = data['source_artifacts'];
  return {
    value: {
      category,
      source_session: textOf(data['source_session']),
      source_iteration: whole(data['source_iteration']),
      source_artifacts: Array.isArray(artifacts) ? artifacts.map(String) : [],
      staged_at: textOf(data['staged_at']),
      carried_from_iteration: whole(data['carried_from_iteration']),
      original_staged_at: textOf(data['original_staged_at']),
      carry_reason: textOf(data['carry_reason']),
      // Later Ralph versions use `approved_at`.
      promoted_at: textOf(data['promoted_at']) ?? textOf(data['approved_at']),
      body: matter.body,
    },
    problems,
  };
};

/** Accepts directory names and the variants of agents: `tutorial`, `howto`, `references`. */
const categoryOf = (value: unknown): KnowledgeCategory | null => {
  const name = String(value ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/s$/, '');
  return (
    knowledgeCategories.find((category) => category.replaceAll('-', '').replace(/s$/, '') === name) ?? null
  );
};

export const formatKnowledge = (knowledge: Knowledge): string => {
  const { body, promoted_at, ...matter } = knowledge;
  return formatFrontMatter({ ...matter, ...(promoted_at === null ? {} : { promoted_at }) }, body);
};

/** Marks a staged file as promoted, for the copies in the session and in the docs directory. */
export const markPromoted = (text: string, promotedAt: string): string =>
  editFrontMatter(text, { promoted_at: promotedAt });

/** A row of `knowledge/index.md`; `file` is relative to `knowledge/`. */
interface KnowledgeEntry {
  readonly file: string;
  readonly category: string;
  readonly sourceArtifacts: readonly string[];
  readonly stagedAt: string;
  readonly carried: boolean;
}

const columns = ['File', 'Category', 'Source Artifacts', 'Staged At'];

export const formatKnowledgeIndex = (entries: readonly KnowledgeEntry[], title = 'Knowledge'): string =>
  [
    `# ${title}`,
    '',
    formatRow(columns),
    formatRow(columns.map(() => '---')),
    ...entries.map((entry) =>
      formatRow([
        `${entry.file}${entry.carried ? ' (carried)' : ''}`,
        entry.category,
        entry.sourceArtifacts.join(', '),
        entry.stagedAt,
      ]),
    ),
    '',
  ].join('\n');

/** Reads the table by its column names, so that the wider tables of later versions open too. */
export const parseKnowledgeIndex = (text: string): readonly KnowledgeEntry[] => {
  const head =
    /^[ \t]*\|(.*file.*)\|[ \t]*$/im
      .exec(text)?.[1]
      ?.toLowerCase()
      .split('|')
      .map((cell) => cell.trim()) ?? [];
  const column = (name: string, otherwise: number): number =>
    head.length > 1 ? head.indexOf(name) : otherwise;
  return tableRows(text).flatMap((row) => {
    const file = /^\[?`?([^\]`()]+?)`?\]?(?:\([^)]*\))?\s*(?:\(carried\))?$/i
      .exec((row[column('file', 0)] ?? '').replaceAll(/\s+/g, ' '))?.[1]
      ?.trim();
    if (!file) return [];
    return [
      {
        file,
        category: row[column('category', 1)] ?? '',
        sourceArtifacts: (row[column('source artifacts', 2)] ?? '').split(/,\s*/).filter((it) => it !== ''),
        stagedAt: row[column('staged at', 3)] ?? '',
        carried: /\(carried\)/i.test(row[column('file', 0)] ?? ''),
      },
    ];
  });
};
