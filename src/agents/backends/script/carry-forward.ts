import { sessionPaths } from '../../../session/paths.ts';
import type { KnowledgeItem } from '../../roles/answers.ts';
import type { ScriptContext } from './script-turn.ts';
import { stagedFiles } from './staged-files.ts';

/**
 * What the iteration before staged and nobody promoted: carried with its markers, at most `knowledge.max_carry_iterations` times. A newer document of the
 * same name takes its place; what was promoted is never carried.
 */
export const carriedItems = (
  { brief, disk }: ScriptContext,
  fresh: readonly KnowledgeItem[],
): { readonly items: readonly KnowledgeItem[]; readonly dropped: readonly string[] } => {
  if (brief.iteration < 2) return { items: [], dropped: [] };
  const from = brief.iteration - 1;
  const knowledge = sessionPaths(brief.workspace, brief.session).iteration(from).knowledge;
  const left = stagedFiles(disk, knowledge).filter((staged) => !staged.promoted);
  const limit = brief.settings.knowledge.max_carry_iterations;
  const isKept = ({ item }: (typeof left)[number]): boolean =>
    brief.iteration - item.source_iteration <= limit &&
    !fresh.some((newer) => newer.category === item.category && newer.name === item.name);
  return {
    items: left.filter(isKept).map(({ item }) => ({
      ...item,
      staged_at: brief.at ?? item.staged_at,
      carried_from_iteration: item.carried_from_iteration ?? from,
      original_staged_at: item.original_staged_at ?? item.staged_at,
      carry_reason: `neither approved nor skipped for good in iteration ${from}`,
    })),
    dropped: left.filter((staged) => !isKept(staged)).map(({ file }) => file),
  };
};
