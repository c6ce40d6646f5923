import type { IssueId } from '../issue.ts';

/** Edges written into the text of an issue, for trackers that have no place for them. */
interface BodyEdges {
  readonly parent?: IssueId;
  readonly blockedBy: readonly IssueId[];
}

/** Reads lines such as `Blocked by: #12, #13` and `Parent: #7`. A line in a quote or a code fence is no edge. */
export const edgesInBody = (body: string): BodyEdges => {
  const blockedBy: IssueId[] = [];
  let parent: IssueId | undefined;
  let isFenced = false;
  for (const line of body.split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    const edge = isFenced
      ? null
      : /^\s*(?:[-*]\s+)?\**(Blocked by|Depends on|Parent)\**:?\**\s+(#\d.*)$/i.exec(line);
    const ids = [...(edge?.[2] ?? '').matchAll(/#(\d{1,15})\b/g)].map((match) => match[1] ?? '');
    if (edge?.[1]?.toLowerCase() === 'parent') parent ??= ids[0];
    else blockedBy.push(...ids);
  }
  return { blockedBy: [...new Set(blockedBy)], ...(parent === undefined ? {} : { parent }) };
};

/** The body with its edges as lines at the end. */
export const withEdges = (body: string, { parent, blockedBy }: BodyEdges): string => {
  const lines = [
    ...(parent === undefined ? [] : [`Parent: #${parent}`]),
    ...(blockedBy.length === 0 ? [] : [`Blocked by: ${blockedBy.map((id) => `#${id}`).join(', ')}`]),
  ];
  return lines.length === 0
    ? body
    : `${body.trimEnd()}${body.trim() === '' ? '' : '\n\n'}${lines.join('\n')}\n`;
};
