import { knowledgeCategories } from '../../session/knowledge.ts';
import type { KnowledgeItem } from '../answers.ts';
import { contradictedParts } from '../steer-tree.ts';

/** Whether a message speaks against the category or the name of a document: "no how-to this time". */
export const rejectsItem = (text: string, item: Pick<KnowledgeItem, 'category' | 'name'>): boolean =>
  contradictedParts(text).some(
    (part) => part.toLowerCase().includes(item.category) || part.includes(item.name),
  );

/** Why staging without a model cannot follow a message; `null` when it can. `items`: what was collected, `null` before. */
export const beyondStaging = (text: string, items: readonly KnowledgeItem[] | null): string | null => {
  const follows =
    items === null
      ? contradictedParts(text).some(
          (part) =>
            knowledgeCategories.some((category) => part.toLowerCase().includes(category)) ||
            part.includes('.md'),
        )
      : items.some((item) => rejectsItem(text, item));
  return follows
    ? null
    : `without a model the Librarian can only leave out documents, by category (${knowledgeCategories.join(', ')}) or by name`;
};

/** Why a promotion cannot follow a message: it writes what was approved. */
export const beyondPromotion = (): string =>
  'a promotion writes the approved documents as they are; choose others at the knowledge gate';
