import { z } from 'zod';
import { sessionPaths } from '../../../session/paths.ts';
import { type KnowledgeItem, knowledgeItemSchema } from '../../answers.ts';
import { answered, type ScriptContext, type ScriptTurn } from './script-turn.ts';
import { stagedFiles } from './staged-files.ts';

/**
 * Documents that the iteration before staged and nobody promoted. Each keeps its markers and is carried at most `knowledge.max_carry_iterations`
 * times. A newer document of the same name replaces it. Promoted documents are never carried. Documents that agents of this iteration offered
 * (`stage_knowledge`) come first.
 */
export const carriedItems = (
  { brief, disk }: ScriptContext,
  fresh: readonly KnowledgeItem[],
): { readonly items: readonly KnowledgeItem[]; readonly dropped: readonly string[] } => {
  const isFresh = ({ category, name }: KnowledgeItem): boolean =>
    fresh.some((newer) => newer.category === category && newer.name === name);
  const paths = sessionPaths(brief.workspace, brief.session);
  const offered = stagedFiles(disk, paths.iteration(brief.iteration).offered)
    .map(({ item }) => item)
    .filter((item) => !isFresh(item));
  if (brief.iteration < 2) return { items: offered, dropped: [] };
  const from = brief.iteration - 1;
  const left = stagedFiles(disk, paths.iteration(from).knowledge).filter(
    ({ item, promoted }) =>
      !promoted && !offered.some(({ category, name }) => category === item.category && name === item.name),
  );
  const limit = brief.settings.knowledge.max_carry_iterations;
  const isKept = ({ item }: (typeof left)[number]): boolean =>
    brief.iteration - item.source_iteration <= limit && !isFresh(item);
  const carried = left.filter(isKept).map(({ item }) => ({
    ...item,
    staged_at: brief.at ?? item.staged_at,
    carried_from_iteration: item.carried_from_iteration ?? from,
    original_staged_at: item.original_staged_at ?? item.staged_at,
    carry_reason: `neither approved nor permanently skipped in iteration ${from}`,
  }));
  return {
    items: [...offered, ...carried],
    dropped: left.filter((staged) => !isKept(staged)).map(({ file }) => file),
  };
};

/** `carry`: the same for an agent's collection, which is in `data.fresh`. */
export const carry: ScriptTurn = async (context, ask) =>
  answered(carriedItems(context, carryDataSchema.parse(ask.data).fresh));

const carryDataSchema = z.object({ fresh: z.array(knowledgeItemSchema).readonly() });
