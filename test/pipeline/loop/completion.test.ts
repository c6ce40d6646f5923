import { describe, expect, test } from 'vitest';
import { isPromised } from '../../../src/agents/promise.ts';
import { completionOf } from '../../../src/pipeline/modes/loop/completion.ts';
import { completionCandidate } from '../../../src/pipeline/modes/loop/stop-conditions.ts';
import type { LoopCourse, TurnRecord } from '../../../src/pipeline/modes/loop/turn-record.ts';
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

const courseOf = (turns: readonly TurnRecord[], focus: string | null = 'plan.md'): LoopCourse => ({
  turns,
  focus,
  timeUp: false,
  usedTurns: 0,
});

const complete = (focusText: string | null, reply = ''): number => {
  const focus = focusText === null ? null : readFocus(focusText, 'plan.md');
  const course = courseOf(
    [turn({ promise: isPromised(reply), focus })],
    focusText === null ? null : 'plan.md',
  );
  return completionOf(course, defaultSettings)?.confidence ?? 0;
};

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
    ['a box with a mark of the person', '- [x] one\n- [~] two', '', 0],
    ['an open ballot box', '- [x] one\n☐ two', '', 0],
    ['ticked boxes behind a fence that is never closed', '```\n- [x] one', '', 0],
    ['the marker behind a fence that is never closed', '```\n- [x] TASK_COMPLETE', '', 0],
  ])('%s', (_name, focus, reply, confidence) => {
    expect(complete(focus, reply)).toBe(confidence);
  });
});

describe('a loop may end as complete', () => {
  const candidate = (fields: Partial<TurnRecord>, settings: Partial<typeof defaultSettings.loop> = {}) => {
    return (
      completionCandidate(
        courseOf([turn(fields)], fields.focus ? 'plan.md' : null),
        mergeSettings(defaultSettings, { loop: settings }),
      ) !== null
    );
  };
  const boxes = (open: number, done: number) => ({ open, done, marker: false, status: null });

  test('never while a box is open, whatever is promised', () => {
    expect(candidate({ promise: true, focus: boxes(1, 9) })).toBe(false);
    expect(candidate({ promise: true, focus: boxes(0, 9) })).toBe(true);
    expect(candidate({ focus: { open: 1, done: 0, marker: true, status: 'done' } })).toBe(false);
  });

  test.each([
    '- [~] two',
    '- [-] two',
    '- [/] two',
    '☐ two',
    '1. [ ] two',
    '-   [ ] two',
    '| two | [ ] |',
    '```\n- [ ] two',
  ])('never with %s left, whatever is promised', (left) => {
    expect(candidate({ promise: true, focus: readFocus(`- [x] one\n${left}\n`, 'plan.md') })).toBe(false);
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

describe('the focus file decides', () => {
  const focusOf = (text: string | null) => (text === null ? null : readFocus(text, 'plan.md'));
  /** What speaks against completion after looks at these texts, the first one before turn 1. */
  const against = (texts: readonly (string | null)[], promise = true) => {
    const turns = texts.map((text, index) =>
      turn({ turn: index, focus: focusOf(text), promise: promise && index === texts.length - 1 }),
    );
    const found = completionOf(courseOf(turns), defaultSettings);
    return found === null ? 'no sign' : found.against;
  };

  test.each([
    ['deleted', ['- [ ] one', null], 'plan.md cannot be read'],
    [
      'emptied',
      ['- [ ] one\n- [ ] two', '# Plan'],
      '2 open boxes were removed from plan.md without being ticked',
    ],
    [
      'without one of its boxes',
      ['- [ ] one\n- [ ] two', '- [x] one'],
      '1 open box was removed from plan.md without being ticked',
    ],
    [
      'with its boxes hidden in a code fence',
      ['- [ ] one', '```\n- [ ] one\n```'],
      '1 open box was removed from plan.md without being ticked',
    ],
    [
      'deleted, and written again without its boxes',
      ['- [ ] one', null, '# Plan'],
      '1 open box was removed from plan.md without being ticked',
    ],
    [
      'that lost a box turns ago',
      ['- [ ] one\n- [ ] two', '- [ ] one', '- [x] one'],
      '1 open box was removed from plan.md without being ticked',
    ],
    ['whose lost box came back ticked', ['- [ ] one\n- [ ] two', '- [ ] one', '- [x] one\n- [x] two'], null],
    [
      'whose boxes are reworded as they are ticked',
      ['- [ ] one\n- [ ] two', '- [x] first\n- [x] second'],
      null,
    ],
    ['that grew', ['- [ ] one', '- [ ] one\n- [ ] two', '- [x] one\n- [x] two'], null],
    [
      'whose ticked boxes are removed later',
      ['- [ ] one\n- [ ] two', '- [x] one\n- [ ] two', '- [ ] two', '- [x] two'],
      null,
    ],
    ['that never had a box', ['# Plan', '# Plan'], null],
    ['with a box open', ['- [ ] one', '- [ ] one'], '1 box is open in plan.md'],
  ])('%s', (_name, texts, words) => {
    expect(against(texts)).toBe(words);
  });

  test('a loop over a goal alone has none to contradict a promise', () => {
    const course = courseOf([turn({ turn: 0 }), turn({ turn: 1, promise: true })], null);
    expect(completionCandidate(course, defaultSettings)).toBe('the agent promised it');
  });

  test.each([
    ['the marker', '- [x] TASK_COMPLETE'],
    ['the front matter', '---\nstatus: done\n---\n'],
    ['every box ticked', '- [x] one'],
  ])('a sign that stood there before turn 1 does not count: %s', (_name, text) => {
    expect(against([text, text], false)).toBe(
      'this was already so before turn 1, and no loop.verify proves it',
    );
    expect(against([text, text], true)).toBe(null);
    expect(against(['- [ ] other', `${text}\n- [x] other`], false)).toBe(null);
  });

  test('such a sign counts with the proof of loop.verify', () => {
    const settings = mergeSettings(defaultSettings, { loop: { verify: ['npm test'] } });
    const looks = [0, 1].map((at) => turn({ turn: at, focus: focusOf('- [x] one') }));
    expect(completionOf(courseOf(looks), settings)?.against).toBe(null);
  });

  test('boxes ticked beyond those of before are a new sign', () => {
    expect(against(['- [x] one', '- [x] one\n- [x] two'], false)).toBe(null);
  });
});
