/** What `c` and `C` copy: the text of the selected item, and the path of its file. `null`: there is none. */
export interface Copyable {
  readonly text: string | null;
  readonly path: string | null;
}

export const nothingToCopy: Copyable = { text: null, path: null };
