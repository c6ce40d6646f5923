/** The lines of a Markdown text outside code fences. An unclosed fence extends to the end. */
export const linesOutsideFences = (text: string): readonly string[] => {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of text.split(/\r\n|\n|\r/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const [, marks = '', rest = ''] = mark ?? [];
    if (fence === null && mark && !(marks.startsWith('`') && rest.includes('`'))) fence = marks;
    else if (fence === null) lines.push(line);
    else if (mark && marks[0] === fence[0] && marks.length >= fence.length && rest.trim() === '')
      fence = null;
  }
  return lines;
};
