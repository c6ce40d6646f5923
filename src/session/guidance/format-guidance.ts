import { type Guidance, type GuidanceItem, itemText } from './guidance.ts';

/** A heading with the lines below it. */
type GuidancePart = readonly [heading: string, lines: readonly string[]];

/** Guidance as parts of a prompt, in the person's words; empty when there is none. Every role gets it. */
const guidanceParts = ({ forbidden, encouraged }: Guidance): readonly GuidancePart[] =>
  [
    ['What the person forbids; breaking it fails the attempt', forbidden.map(line)] as const,
    ['What the person prefers', encouraged.map(line)] as const,
  ].filter(([, lines]) => lines.length > 0);

/** The guidance as one block of Markdown; '' when there is none. */
export const guidanceBlock = (guidance: Guidance): string =>
  guidanceParts(guidance)
    .map(([heading, lines]) => `## ${heading}\n${lines.map((each) => `- ${each}`).join('\n')}`)
    .join('\n\n');

/** Guidance in one line for logs and lists: `avoid Docs, path:gen/**; prefer Tests`. */
export const guidanceWords = ({ forbidden, encouraged }: Guidance): string =>
  [
    ...(forbidden.length > 0 ? [`avoid ${forbidden.map(itemText).join(', ')}`] : []),
    ...(encouraged.length > 0 ? [`prefer ${encouraged.map(itemText).join(', ')}`] : []),
  ].join('; ') || 'nothing to avoid or prefer';

const line = (item: GuidanceItem): string => {
  if (typeof item === 'string') return item.replaceAll(/\s+/g, ' ');
  return 'path' in item ? `Files that match \`${item.path}\`` : `Commands that match \`${item.command}\``;
};
