import { plainText } from '../base/bytes.ts';
import type { Disk } from '../base/disk.ts';
import { FaultError } from '../base/fault.ts';
import { readBytes } from '../base/replace-file.ts';
import { type CheckBox, checkBoxes } from '../tasks/check-boxes.ts';
import { parseFrontMatter } from '../tasks/front-matter.ts';

/** The text of a focus file. Throws a `FaultError` for anything but UTF-8 text, whose boxes nobody could count, and a `DiskError` as `readBytes` does. `null`: there is no such file. */
export const readFocusText = (disk: Disk, path: string, file: string): string | null => {
  const bytes = readBytes(disk, path);
  if (bytes === null) return null;
  const text = plainText(bytes);
  if (text !== null) return text;
  throw new FaultError({
    code: 'focus-not-text',
    what: 'the focus file is not UTF-8 text, so its boxes cannot be counted',
    where: file,
    hint: 'save it as UTF-8',
  });
};

/** The progress of the work, as recorded in the focus file of a loop (src/discovery/README.md, The loop). */
export interface FocusState {
  readonly open: number;
  readonly done: number;
  /** Whether it contains `[x] TASK_COMPLETE`. */
  readonly marker: boolean;
  /** `status` of its front matter, in lower case. */
  readonly status: string | null;
}

/**
 * Counts the boxes. A box that is not plainly ticked is open; one in a code fence is an example, and behind a fence that is never closed only an open one
 * counts. The marker's own box is no work and does not count.
 */
export const readFocus = (text: string, file: string): FocusState => {
  const { data, body } = parseFrontMatter(text, file).value;
  const boxes = checkBoxes(body).filter(({ done, doubtful }) => !(done && doubtful));
  const work = boxes.filter((box) => !isMarker(box));
  const status = data['status'];
  return {
    open: work.filter(({ done }) => !done).length,
    done: work.filter(({ done }) => done).length,
    marker: boxes.some((box) => isMarker(box) && box.done),
    status: typeof status === 'string' ? status.trim().toLowerCase() : null,
  };
};

const isMarker = ({ text }: CheckBox): boolean => /^\W*TASK_COMPLETE\b/.test(text);
