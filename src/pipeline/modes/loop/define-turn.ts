import { isMessage } from '../../../signals/kinds.ts';
import type { TaskDefinition, TaskId } from '../../../tasks/task.ts';
import type { SessionState } from '../../state.ts';
import { completionOf } from './completion.ts';
import type { LoopState } from './turn-record.ts';
import { courseOf, turnId } from './turns.ts';

/** One turn as a task: a fresh context with the focus file and the last turn's summary (src/discovery/README.md, The loop). */
export const defineTurn = (state: SessionState, loop: LoopState, turn: number): TaskDefinition => ({
  id: turnId(turn),
  iteration: state.iteration,
  title: `Turn ${turn}`,
  objective: [objectiveOf(state.goal, loop.focus), refusedIn(state, loop)]
    .filter((part) => part !== '')
    .join('\n'),
  blockedBy: [],
  files: [],
  criteria: [],
  run: state.settings.loop.run.map((cmd) => ({ cmd })),
  verify: [],
  on_steer: null,
  type: 'Sequential',
  role: 'executor',
  replaced_by: [],
  grounded_in: loop.focus ?? '',
  notes: notesOf(state, loop),
  metadata: { turn, feedback: saidTo(state, turnId(turn - 1)) },
});

/** A message to the last turn may have come after its last look, so this turn gets it too. */
const saidTo = ({ signals }: SessionState, task: TaskId): readonly string[] =>
  [...signals.values()].flatMap(({ signal, stage }) =>
    signal.task === task && (stage === 'handled' || stage === 'unanswered') && isMessage(signal.type)
      ? [`said to ${task}: ${signal.message ?? ''}`]
      : [],
  );

const objectiveOf = (goal: string, focus: string | null): string =>
  focus === null
    ? `${goal}\nDo the next useful step, and check it. ${promise}`
    : `${goal}\nRead ${focus}. Do the next thing it asks for, check it, and tick its box there. ${promise} Or tick \`[x] TASK_COMPLETE\` in ${focus}.`;

const promise =
  'When everything is done and checked, end your summary with the line `<promise>COMPLETE</promise>`.';

/** Why the last turn's sign of completion did not end the loop; '' when there was none. */
const refusedIn = (state: SessionState, loop: LoopState): string => {
  const turn = loop.looks.at(-1)?.turn;
  const found = completionOf(courseOf(state, loop), state.settings);
  return found?.against == null
    ? ''
    : `Turn ${turn} looked complete (${found.sign}), but the loop did not end: ${found.against}.`;
};

/** The last turn's notes for this one. */
const notesOf = (state: SessionState, loop: LoopState): string => {
  const last = loop.looks.at(-1);
  if (last === undefined || last.turn === 0) return '';
  const failed = state.tasks.get(turnId(last.turn))?.status === 'failed';
  const reason = state.tasks.get(turnId(last.turn))?.reason;
  return [
    failed ? `Turn ${last.turn} failed: ${reason ?? 'no reason was given'}` : '',
    last.summary === '' ? '' : `Turn ${last.turn} said:\n${last.summary}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};
