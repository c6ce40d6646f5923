import { safe } from '../base/safe.ts';
import { proseLines } from '../tasks/markdown/prose-lines.ts';

/** Why something failed, in one line. An agent's words may be Markdown: its code and headings are left out. */
export const reasonWords = (reason: string): string => {
  const [, who = '', said = ''] = /^([^\n:`#~]{1,80}: +)?(.*)$/s.exec(reason) ?? [];
  return safe(`${who}${proseLines(said).join(' ')}`);
};
