import { knowledgeCategories } from '../../session/knowledge.ts';
import type { KnowledgeItem, SteerTrace } from '../answers.ts';
import type { Message, RolePort } from '../port.ts';
import { contradictedParts } from '../steer-tree.ts';
import { chosenBy } from './promotion-words.ts';

/** Whether a message speaks against the category or the name of a document: "no how-to this time". */
export const rejectsItem = (text: string, item: Pick<KnowledgeItem, 'category' | 'name'>): boolean =>
  contradictedParts(text).some(
    (part) => part.toLowerCase().includes(item.category) || part.includes(item.name),
  );

/** Why staging without a model cannot follow a message; `null` when it can. `items`: what was collected, `null` before. */
export const beyondStaging = (
  message: Pick<Message, 'text' | 'unproven'>,
  items: readonly KnowledgeItem[] | null,
): string | null => {
  if (message.unproven) return notProven;
  const follows =
    items === null
      ? contradictedParts(message.text).some(
          (part) =>
            knowledgeCategories.some((category) => part.toLowerCase().includes(category)) ||
            part.includes('.md'),
        )
      : items.some((item) => rejectsItem(message.text, item));
  return follows
    ? null
    : `without a model the Librarian can only leave out documents, by category (${knowledgeCategories.join(', ')}) or by name`;
};

/** Why a promotion cannot follow a message: it writes approved documents as they are, and can only leave some out. */
export const beyondPromotion = (
  message: Pick<Message, 'text' | 'unproven'>,
  approved: readonly string[],
): string | null => {
  if (message.unproven) return notProven;
  const chosen = chosenBy(message.text, approved);
  if ('unclear' in chosen) return `it ${chosen.unclear}`;
  return chosen.files.length < approved.length
    ? null
    : 'a promotion writes the approved documents as they are, and can only leave some out ("only the reference")';
};

const notProven = 'its author is not proven, and code follows only a person';

/** The approved documents that are left after these messages, which can be followed. */
export const leftToPromote = (
  steers: readonly SteerTrace[],
  approved: readonly string[],
): readonly string[] =>
  steers.filter(isFollowed).reduce((files, { text }) => {
    const chosen = chosenBy(text, files);
    return 'files' in chosen ? chosen.files : files;
  }, approved);

/** Where code works, following a message is all that ever carries it. */
export const tellFollowed = (
  port: Pick<RolePort, 'emit'>,
  steers: readonly SteerTrace[],
  detail: string,
): void => {
  for (const { id } of steers.filter(isFollowed))
    port.emit({ type: 'message.arrived', id, way: 'document', detail });
};

/** Another verdict is the sender's own: nobody looked whether code can follow the words. */
const isFollowed = ({ verdict }: SteerTrace): boolean => verdict === 'adjust';
