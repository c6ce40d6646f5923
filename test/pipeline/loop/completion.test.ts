import { describe, expect, test } from 'vitest';
import { isPromised } from '../../../src/agents/promise.ts';
import { completionOf } from '../../../src/pipeline/modes/loop/completion.ts';
import { completionCandidate, type LoopCourse } from '../../../src/pipeline/modes/loop/stop-conditions.ts';
import type { TurnRecord } from '../../../src/pipeline/modes/loop/turn-record.ts';
import { readFocus } from '../../../src/session/focus-file.ts';
import { mergeSettings } from '../../../src/session/settings/partial-settings.ts';
import { defaultSettings } from '../../../src/session/settings.ts';

const turn = (fields: Partial<TurnRecord>): TurnRecord => ({
  turn: 1,
  fingerprint: 'f',
  changed: 0,
  head: '',
  promise: false,
  summary: '',
  focus: null,
  result: null,
  ...fields,
});

const complete = (focusText: string | null, reply = ''): number =>
  completionOf(
    turn({ promise: isPromised(reply), focus: focusText === null ? null : readFocus(focusText, 'plan.md') }),
  )?.confidence ?? 0;

describe('the strongest sign counts', () => {
  test.each([
    ['no focus file and no promise', null, 'done', 0],
    ['the promise as the last line', null, 'All done.\n<promise>COMPLETE</promise>\n', 1],
    [
      'the promise with a JSON answer behind it',
      null,
      'Done.\n<promise>COMPLETE</promise>\n{"a": {"b": 1}}\n',
      1,
    ],
    ['the promise in the middle', null, '<promise>COMPLETE</promise>\nbut one thing is left', 0],
    ['the promise in a sentence', null, 'I will say <promise>COMPLETE</promise>', 0],
    ['the promise in a code fence', null, '```\n<promise>COMPLETE</promise>\n```', 0],
    ['the promise before a fence', null, '<promise>COMPLETE</promise>\n```\ncode\n```', 0],
    ['the promise before a fence that is never closed', null, '<promise>COMPLETE</promise>\n```', 0],
    ['the promise in a fence that is never closed', null, '~~~\n<promise>COMPLETE</promise>', 0],
    ['the ticked marker', '- [x] one\n- [x] TASK_COMPLETE\n', '', 1],
    ['the ticked marker without a bullet', '[X] TASK_COMPLETE', '', 1],
    ['the open marker', '- [ ] TASK_COMPLETE', '', 0],
    ['the marker in a code fence', '```md\n- [x] TASK_COMPLETE\n```', '', 0],
    ['front matter that says completed', '---\nstatus: Completed\n---\ntext', '', 0.95],
    ['front matter that says open', '---\nstatus: open\n---\ntext', '', 0],
    ['a status below the front matter', 'text\nstatus: done', '', 0],
    ['every box ticked', '* [x] one\n2. [X] two', '', 0.9],
    ['a box open', '- [x] one\n- [ ] two', '', 0],
    ['ticked boxes in a code fence only', '```\n- [x] one\n```', '', 0],
    ['no boxes', '# Plan', '', 0],
  ])('%s', (_name, focus, reply, confidence) => {
    expect(complete(focus, reply)).toBe(confidence);
  });
});

describe('a loop may end as complete', () => {
  const candidate = (fields: Partial<TurnRecord>, settings: Partial<typeof defaultSettings.loop> = {}) => {
    const course: LoopCourse = { turns: [turn(fields)], timeUp: false, usedTurns: 0 };
    return completionCandidate(course, mergeSettings(defaultSettings, { loop: settings })) !== null;
  };
  const boxes = (open: number, done: number) => ({ open, done, marker: false, status: null });

  test('never while a box is open, whatever is promised', () => {
    expect(candidate({ promise: true, focus: boxes(1, 9) })).toBe(false);
    expect(candidate({ promise: true, focus: boxes(0, 9) })).toBe(true);
    expect(candidate({ focus: { open: 1, done: 0, marker: true, status: 'done' } })).toBe(false);
  });

  test('only from the threshold on', () => {
    expect(candidate({ focus: boxes(0, 9) }, { threshold: 0.9 })).toBe(true);
    expect(candidate({ focus: boxes(0, 9) }, { threshold: 0.91 })).toBe(false);
  });

  test('only from the first turn that may be the last', () => {
    expect(candidate({ turn: 2, promise: true }, { min_turns: 3 })).toBe(false);
    expect(candidate({ turn: 3, promise: true }, { min_turns: 3 })).toBe(true);
  });
});
