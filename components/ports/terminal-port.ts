import type { Intent } from './intent.ts';
import type { ChosenForm, ThirdPane } from './tasks-form.ts';

/**
 * The person's own terminal: window title and bell, clipboard, editor, and unsent text. Nothing here reaches the run. Performed by the
 * cli.
 */
export interface TerminalPort {
  /** Text that earlier screens kept for this session: its own drafts, and the messages of all sessions. */
  recall(session: string): Written;
  /** Keeps the text for the next screen. Silently keeps nothing if it cannot be written. */
  remember(session: string, written: Written): void;
  /** Edits the text in `$EDITOR`, which has the terminal meanwhile. `null` when the edit was given up. `file`: its file name there. */
  edit(text: string, file?: string): Promise<string | null>;
  /** Opens a file in `$EDITOR`, at a line where the editor takes one; it has the terminal meanwhile. Rejects with a sentence when there is no such file. */
  open(path: string, line?: number): Promise<void>;
  /** Runs a command, which has the terminal meanwhile. Rejects with a sentence when it fails. */
  run(command: string): Promise<void>;
  /** Copies the text and returns the way it was copied, as a sentence. */
  copy(text: string): Promise<string>;
  /** Opens a page in the person's browser and returns how, as a sentence. Rejects with a sentence for anything but a web address. */
  browse(url: string): Promise<string>;
  /** Sets the title of the terminal's window. */
  title(text: string): void;
  /**
   * Gives the terminal to the shell that started this program, as ctrl-z does elsewhere: this program and its agents stand still until the shell
   * continues them. Resolves when this program has the terminal again; with a sentence when no shell would take it.
   */
  suspend(): Promise<string | null>;
  /** Listens for a stop that another program asks for, such as a suspended editor. The returned function stops listening. */
  stopping(listener: () => void): () => void;
  /** Listens for continuation after a stop: a shell had the terminal meanwhile. The returned function stops listening. */
  continued(listener: () => void): () => void;
  /** Calls a person once, in the way they chose. */
  call(text: string, how: 'bell' | 'osc' | 'none'): void;
}

/** Drafts by purpose, and sent messages, newest last. */
export interface Written {
  readonly drafts: { readonly [what: string]: string };
  readonly history: readonly string[];
  /** The forms that the person chose on earlier screens, for all sessions. Absent: none was chosen yet. */
  readonly shown?: Shown;
}

/** The chosen form of the tasks and the chosen pane of the third column. */
interface Shown {
  readonly tasks: ChosenForm;
  readonly third: ThirdPane;
}

/** A key's request to the terminal. */
export type TerminalRequest =
  /** ctrl-z. */
  | { readonly type: 'suspend' }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'browse'; readonly url: string }
  /** `also`: more files, each opened when the one before is closed. */
  | {
      readonly type: 'open';
      readonly path: string;
      readonly line?: number;
      readonly also?: readonly string[];
    }
  /** The plan at its gate. */
  | { readonly type: 'edit-plan'; readonly text: string }
  /** The commands of the task to retry. */
  | { readonly type: 'edit-commands'; readonly text: string }
  /** A command of an agent's vendor. When it succeeds, the intent follows. */
  | { readonly type: 'run'; readonly command: string; readonly next: Intent }
  /** The text of the focused field. */
  | { readonly type: 'edit'; readonly text: string };

/** Keeps, copies and calls nothing: for tests and for screens without a person. */
export const noTerminalPort: TerminalPort = {
  recall: () => ({ drafts: {}, history: [], shown: { tasks: null, third: 'details' } }),
  remember: () => {},
  edit: async () => null,
  open: () => Promise.reject(new Error('There is no editor here')),
  run: () => Promise.reject(new Error('There is no terminal here')),
  copy: async () => 'There is no clipboard here',
  browse: async () => 'There is no browser here',
  title: () => {},
  suspend: async () => 'There is no shell here',
  stopping: () => () => {},
  continued: () => () => {},
  call: () => {},
};
