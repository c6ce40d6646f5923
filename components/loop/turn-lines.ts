import { safe, safeBlock } from '../../src/base/safe.ts';
import { completionOf } from '../../src/pipeline/modes/loop/completion.ts';
import { repeatedTurn, repetitionWords } from '../../src/pipeline/modes/loop/stop-conditions.ts';
import type { LoopState, TurnObservation } from '../../src/pipeline/modes/loop/turn-record.ts';
import { courseOf, turnId } from '../../src/pipeline/modes/loop/turns.ts';
import type { SessionState, TaskState } from '../../src/pipeline/state.ts';
import type { DetailLine } from '../../src/words/detail-line.ts';
import { boxWords, changeWords } from '../../src/words/turn-words.ts';

/** A turn of a loop for the Details tab: Observe, Orient, Decide, Act (src/discovery/README.md, The loop). None in other modes. */
export const turnLines = (session: SessionState, task: TaskState): readonly DetailLine[] => {
  const { loop } = session;
  if (loop === null) return [];
  const at = loop.looks.findIndex((each) => turnId(each.turn) === task.definition.id);
  const look = loop.looks[at];
  if (look === undefined)
    return [
      { kind: 'heading', text: 'Observe, Orient, Decide' },
      { kind: 'text', text: 'Shown once the turn has ended.' },
    ];
  return [
    { kind: 'heading', text: 'Observe' },
    item(changeWords(look)),
    item(focusWords(loop, look)),
    ...verifyLines(session, task),
    { kind: 'heading', text: 'Orient' },
    ...completionLines(session, { ...loop, looks: loop.looks.slice(0, at + 1) }),
    item(repeatWords(session, { ...loop, looks: loop.looks.slice(0, at + 1) })),
    item(limitWords(session, look.turn)),
    { kind: 'heading', text: 'Decide' },
    decisionLine(loop, look.turn),
    { kind: 'heading', text: 'Act' },
    ...(look.summary === ''
      ? [item('the turn reported nothing')]
      : safeBlock(look.summary)
          .trim()
          .split('\n')
          .map((text): DetailLine => ({ kind: 'text', text }))),
  ];
};

const item = (text: string): DetailLine => ({ kind: 'item', text });

const focusWords = ({ focus: file }: LoopState, { focus }: TurnObservation): string => {
  if (file === null) return 'no focus file: only the goal';
  if (focus === null) return `${safe(file)} cannot be read`;
  const boxes = boxWords(focus);
  return boxes === '' ? `no checkboxes in ${safe(file)}` : `${boxes} ticked in ${safe(file)}`;
};

const verifyLines = (
  { settings }: SessionState,
  { definition, status, reason }: TaskState,
): readonly DetailLine[] => {
  if (settings.loop.verify.length === 0) return [];
  if (definition.verify.length === 0) return [item('verify: runs when the work looks complete')];
  switch (status) {
    case 'done':
      return [{ kind: 'good', text: 'verify: passed' }];
    case 'failed':
      return [{ kind: 'bad', text: `verify: ${safe(reason ?? 'failed')}` }];
    default:
      return [item('verify: running')];
  }
};

/** The sign of completion of a turn. `loop` ends with the turn. */
const completionLines = (session: SessionState, loop: LoopState): readonly DetailLine[] => {
  const found = completionOf(courseOf(session, loop), session.settings);
  if (found === null) return [item('no sign of completion')];
  const confidence = `confidence ${found.confidence}, needs ${session.settings.loop.threshold}`;
  const against = found.against === null ? '' : `, but ${safe(found.against)}`;
  return [item(`${safe(found.sign)} (${confidence})${against}`)];
};

/** The comparison with earlier outputs. `loop` ends with the turn. */
const repeatWords = (session: SessionState, loop: LoopState): string => {
  const { turns } = courseOf(session, loop);
  const repeated = repeatedTurn(turns);
  if (repeated !== null) return repetitionWords(repeated);
  return turns.length <= 2
    ? 'no earlier output to compare with yet'
    : 'its output does not repeat an earlier one';
};

const limitWords = ({ loop, settings }: SessionState, turn: number): string => {
  const most = settings.loop.max_turns;
  return most === null ? `turn ${turn}, no turn limit` : `turn ${turn} of ${(loop?.used.turns ?? 0) + most}`;
};

const decisionLine = ({ decisions }: LoopState, turn: number): DetailLine => {
  const decision = decisions.findLast((each) => each.turn === turn);
  if (decision === undefined) return item('not yet');
  if (decision.stop === null) return item(decision.sentence);
  return { kind: decision.stop === 'completion' ? 'good' : 'bad', text: `stop: ${safe(decision.sentence)}` };
};
