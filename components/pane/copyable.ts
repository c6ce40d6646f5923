/** What `c` and `C` copy: the text of the selected item, and the path of its file. `null`: there is none. */
export interface Copyable {
  readonly text: string | null;
  readonly path: string | null;
  /** The line of the file to open. Absent: its start. */
  readonly line?: number;
  /** Why there is no file, as a sentence. Absent: the place has none. */
  readonly why?: string;
}

export const nothingToCopy: Copyable = { text: null, path: null };
