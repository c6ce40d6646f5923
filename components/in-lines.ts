/** A word of the prompt that a session in lines has (`cli/plain/verbs.ts` says how each is used). */
export type LineWord =
  | 'pause'
  | 'resume'
  | 'steer'
  | 'info'
  | 'signal'
  | 'signals'
  | 'retry'
  | 'cancel'
  | 'stop'
  | 'abort'
  | 'approve'
  | 'skip'
  | 'answer'
  | 'review'
  | 'status'
  | 'tasks'
  | 'logs'
  | 'diff'
  | 'report'
  | 'sessions'
  | 'keys'
  | 'help'
  | 'quit';

/** How the same is done in lines: with a word of the prompt, or with what stands in the place of a word. */
export type InLines = { readonly word: LineWord } | { readonly instead: string };

/** What commands of several subjects have in the place of a word. A reason of one subject stands at its commands. */
export const noCursor: InLines = { instead: 'there is no cursor in line mode' };
export const noOverlays: InLines = { instead: 'there are no windows in line mode' };
export const noPanes: InLines = { instead: 'there are no panes in line mode' };
export const eventsPrinted: InLines = { instead: 'events are printed as they happen' };
export const allPrinted: InLines = {
  instead: '`logs` and `diff` print everything: search with your terminal',
};
export const issuesCommand: InLines = { instead: '`ralph-tui issues` lists, shows and moves issues' };
export const anotherSession: InLines = {
  instead: '`ralph-tui run` or `ralph-tui demo` starts another session',
};
export const runIssue: InLines = {
  instead: '`ralph-tui run --issue ID` prints the list and asks before it starts',
};
export const answerByRequest: InLines = {
  instead: '`answer REQUEST OPTION` answers any question in the queue, even the second or third',
};
