import type { TaskLook } from '../../src/words/task-status.ts';

/**
 * One line of the help; a text that is longer than the line continues in rows without keys. `why`: what stands in the way just now, said in place of
 * the sentence.
 */
export type HelpRow =
  /** Without a title: the blank line between two groups. */
  | { readonly kind: 'group'; readonly title: string }
  /** A folded group with its keys. */
  | { readonly kind: 'topic'; readonly title: string; readonly keys: string }
  /** A sign of the Tasks pane, which the theme draws. */
  | { readonly kind: 'sign'; readonly look: TaskLook; readonly what: string }
  /** `title`: at most four words, in the first of its rows. */
  | {
      readonly kind: 'key';
      readonly keys: string;
      readonly title: string;
      readonly what: string;
      readonly why: string | null;
    };
