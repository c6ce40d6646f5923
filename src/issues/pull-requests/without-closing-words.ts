/** What GitHub reads as the order to close an issue when the text reaches the default branch. */
const closing =
  /\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(:?[ \t]+)((?:[\w.-]+\/[\w.-]+)?#\d+|GH-\d+|https?:\/\/\S+\/issues\/\d+)/gi;

/** A text of an agent that closes no issue: its references become code. The program adds the words for the issues that the work completes. */
export const withoutClosingWords = (text: string): string => text.replace(closing, '$1$2`$3`');
