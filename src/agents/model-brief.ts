/** The engine's additions to the brief for a backend with a model (src/engine/README.md, Roles). */
export interface ModelBrief {
  /** The Markdown prompt of this mode: the shipped one or the repository's own. */
  readonly instructions: string;
  /** A random word for the fences around foreign text. */
  readonly fence: string;
  /** The last reports of this task's blockers, or of the attempt under review. */
  readonly reports: readonly { readonly source: string; readonly text: string }[];
  /** One turn of a loop, whose reply may be words that end with the promise. */
  readonly isTurn?: true;
  /** The agent has our tools. */
  readonly tools: boolean;
  /** Messages reach the agent while it works, without a call of our tools. */
  readonly hears?: true;
  /** Nobody reads its reply: its result is a call of `task_update`. */
  readonly updates?: true;
}
