import type { Fault } from '../base/fault.ts';
import { isRecord } from '../base/json.ts';

/** The fault of a file that is no plan but something else that this program works with; `null` for any other. `value`: what YAML made of it. */
export const otherThanPlan = (text: string, value: unknown, file: string): Fault | null => {
  if (isRecord(value) && Array.isArray(value['userStories']) && !('tasks' in value))
    return {
      code: 'plan-stories',
      what: 'this is a list of user stories, not a plan',
      where: file,
      hint: `take its stories as issues: \`ralph-tui run --mode hero --tracker prd:${file}\``,
    };
  if (isRecord(value) && 'tasks' in value) return null;
  const isNamedSo = /\.(?:md|mdx|markdown)$/i.test(file);
  const isOther = isRecord(value) || /\.(?:ya?ml|json)$/i.test(file);
  const isMarkdown = isNamedSo || (!isOther && markdown.test(text));
  return isMarkdown
    ? {
        code: 'plan-markdown',
        what: 'this is Markdown, and a plan is YAML or JSON',
        where: file,
        hint: `work through Markdown with \`ralph-tui run --mode loop --focus ${file}\``,
      }
    : null;
};

/** A heading with text below it, or a checkbox. In YAML a heading is a comment. */
const markdown = /^#{1,6} [^\n]*\n(?:\s*\n)*(?![#\s]|[\w"'-]+:)|^\s*(?:[-*+]|\d{1,3}[.)])\s+\[[ xX]?\]\s/m;
