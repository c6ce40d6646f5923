/**
 * What the screen asks of the person's own desk: the terminal's title and bell, clipboard, editor, and what was written and not sent.
 * Nothing here reaches the run. Performed by the cli.
 */
export interface Desk {
  /** What earlier screens kept for this session: drafts of its own, messages of all sessions. */
  recall(session: string): Written;
  /** Keeps it for the next screen; a desk that cannot be written to keeps nothing and says nothing. */
  remember(session: string, written: Written): void;
  /** The text as it comes back from `$EDITOR`, which has the terminal meanwhile; `null` when it was given up. `file`: the name it has there. */
  edit(text: string, file?: string): Promise<string | null>;
  /** Opens a file in `$EDITOR`, which has the terminal meanwhile; throws a sentence when there is no such file. */
  open(path: string): Promise<void>;
  /** Copies and says how, as a sentence. */
  copy(text: string): Promise<string>;
  /** Names the terminal's window. */
  title(text: string): void;
  /** Tells when the program goes on after it was stopped, and has its terminal again: a shell had that meanwhile. The answer stops it. */
  continued(listener: () => void): () => void;
  /** Calls a person, once, in the way they chose. */
  call(text: string, how: 'bell' | 'osc' | 'none'): void;
}

/** Drafts by what they are for, and sent messages, newest last. */
export interface Written {
  readonly drafts: { readonly [what: string]: string };
  readonly history: readonly string[];
}

/** What a key asks of the desk. */
export type DeskWish =
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'open'; readonly path: string }
  /** The plan at its gate. */
  | { readonly type: 'edit-plan'; readonly text: string }
  /** The text of the field that has the keys. */
  | { readonly type: 'edit'; readonly text: string };

/** Nothing is kept, copied or called: for tests and for screens that nobody sits at. */
export const noDesk: Desk = {
  recall: () => ({ drafts: {}, history: [] }),
  remember: () => {},
  edit: async () => null,
  open: () => Promise.reject(new Error('There is no editor here')),
  copy: async () => 'There is no clipboard here',
  title: () => {},
  continued: () => () => {},
  call: () => {},
};
