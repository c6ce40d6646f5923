import { join } from 'node:path';
import { isPromised } from '../../agents/promise.ts';
import type { Disk } from '../../base/disk.ts';
import { toFault } from '../../base/fault.ts';
import { readText } from '../../base/replace-file.ts';
import type { EventBody } from '../../pipeline/event.ts';
import { comparedLength } from '../../pipeline/modes/loop/similarity.ts';
import { turnId } from '../../pipeline/modes/loop/turns.ts';
import { type FocusState, readFocus, readFocusText } from '../../session/focus-file.ts';
import { parseReport } from '../../session/report.ts';
import type { Core } from '../core.ts';
import type { WorkspaceMarks } from './workspace-marks.ts';

/** Looks at the workspace after a turn of a loop and commits `turn.observed`. A disk that cannot be read stops the session. */
export const observeTurn = (core: Core, look: () => Promise<WorkspaceMarks>, turn: number): void => {
  const { loop } = core;
  look()
    .then((marks) => {
      if (!loop.isOpen()) return;
      loop.run(() => {
        // The session may have stopped or started another look meanwhile.
        if (loop.state().loop?.looking === turn) loop.commit(observed(core, turn, marks));
      });
    })
    .catch((error: unknown) => {
      if (loop.isOpen()) core.block(toFault(error, `looking at turn ${turn}`));
    });
};

/** Limit in characters of a turn's own words for the next turn. */
const mostSummary = 2_000;

const observed = (core: Core, turn: number, marks: WorkspaceMarks): EventBody => {
  const said = turn === 0 ? silence : wordsOf(core, turn);
  return {
    type: 'turn.observed',
    turn,
    fingerprint: marks.fingerprint,
    changed: marks.changed,
    head: [...said.head].slice(0, comparedLength).join(''),
    promise: isPromised(said.tail) || isPromised(said.summary),
    summary: said.summary.slice(0, mostSummary),
    focus: focusOf(core),
  };
};

interface Words {
  readonly head: string;
  readonly tail: string;
  readonly summary: string;
}

const silence: Words = { head: '', tail: '', summary: '' };

/** The output of a turn's last attempt, and the summary from its report. */
const wordsOf = ({ options, loop }: Core, turn: number): Words => {
  const { disk, paths } = options;
  const state = loop.state();
  const attempt = Math.max(1, state.tasks.get(turnId(turn))?.attempt ?? 1);
  const report = paths.iteration(state.iteration).report(turnId(turn), attempt);
  const text = readText(disk, report);
  const changes = text === null ? '' : parseReport(text, report).value.part1.changes;
  return { ...endsOf(disk, paths.log(turnId(turn), attempt)), summary: changes.replace(/^- /gm, '') };
};

/** Four bytes a character at most, and room for trimmed text. */
const headBytes = 8 * comparedLength;
const tailBytes = 65_536;

/** The head and the tail of a log of any size. */
const endsOf = (disk: Disk, path: string): Pick<Words, 'head' | 'tail'> => {
  if (disk.lstat(path) === null) return silence;
  const handle = disk.openRead(path);
  try {
    const { size } = disk.stat(handle);
    const text = (offset: number, length: number): string =>
      new TextDecoder().decode(disk.read(handle, offset, length));
    return {
      head: text(0, Math.min(size, headBytes)),
      tail: text(Math.max(0, size - tailBytes), Math.min(size, tailBytes)),
    };
  } finally {
    disk.close(handle);
  }
};

/** Reads the focus file. A missing or unreadable one gives nothing; the screen shows that, and the loop continues. */
const focusOf = (core: Core): FocusState | null => {
  const file = core.loop.state().loop?.focus ?? null;
  if (file === null) return null;
  try {
    const text = readFocusText(core.options.disk, join(core.options.paths.workspace, file), file);
    if (text !== null) return readFocus(text, file);
    core.problem({
      code: 'focus-missing',
      what: 'the focus file no longer exists',
      where: file,
      hint: 'restore it',
    });
  } catch (error) {
    core.problem(toFault(error, file));
  }
  return null;
};
