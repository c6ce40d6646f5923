/** What Ink and the screen write: styles, cursor moves, erasing, modes, the mouse, the keyboard protocol, the title, the questions for the background and whether pastes are marked; and a bell, which ends nothing that was not begun. */
const ours =
  /\u001b\[(?:[0-9;]*m|[0-9;]*[ABCDEFGHJK]|\?(?:25|1000|1002|1003|1004|1006|1049|2004|2026)[hl]|[<>=?]?[0-9;]*u|[0-9]* q|2[23];2t|\?2004\$p)|\u001b[78]|\u001b\]11;\?\u001b\\|\u001b\]2;[^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\)/g;

/** What a terminal acts on, what turns text round and what nobody sees; line breaks, tabs and a bell are none of it. */
const live =
  /[\u0000-\u0006\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/;

/**
 * The first thing in the raw bytes for a terminal that is no text and no sequence of ours, with what stands around it; '' when there is none. An
 * allow-list: whatever the program does not write itself is foreign.
 */
export const foreignIn = (raw: string): string => {
  const left = raw.replaceAll(ours, '');
  const at = left.search(live);
  return at < 0 ? '' : JSON.stringify(left.slice(Math.max(0, at - 20), at + 40));
};

/** The same for a program that still writes: a sequence of ours that has begun may be all there is at the end. */
export const foreignSoFar = (raw: string): string =>
  foreignIn(
    raw.replace(
      /\u001b(?:\[[0-9;?<>=]*\$?|\]2?;?|\]1{1,2}(?:;\??)?\u001b?|\]2;[^\u0007\u001b]*\u001b?)?$/,
      '',
    ),
  );
