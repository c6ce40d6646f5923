/** One reference page. `ralph-tui help NAME` and the README both print this data, so they cannot differ. */
export interface Topic {
  /** One word, as typed. */
  readonly name: string;
  /** The contents of the page in a few words. */
  readonly summary: string;
  /** Reads the code only when called, so that an unread page costs nothing. */
  readonly sections: () => readonly Section[];
}

/** A paragraph, a list of paragraphs, lines to copy, or a table whose first row is its head. Texts may contain `code` in backticks. */
export type Section =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] };
