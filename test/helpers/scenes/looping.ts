import type { TurnObservation } from '../../../src/pipeline/modes/loop/turn-record.ts';
import { mergeSettings } from '../../../src/session/settings/partial-settings.ts';
import type { PartialSettings } from '../../../src/session/settings.ts';
import {
  createPipelineRun,
  ended,
  failedOutcome,
  goodOutcome,
  type PipelineRun,
  startedTask,
} from '../pipeline-run.ts';
import { createStory, type Story } from '../story.ts';
import type { Scene } from './scene.ts';

interface Course {
  readonly loop?: PartialSettings['loop'];
  readonly look?: (turn: number) => Partial<TurnObservation>;
  /** Turns that fail. */
  readonly failing?: readonly number[];
  /** The turn that works on and on. */
  readonly lasting?: number;
}

/** Five boxes, one ticked a turn. */
const boxes = (turn: number): Pick<TurnObservation, 'focus'> => ({
  focus: { open: 5 - turn, done: turn, marker: false, status: null },
});

const summaries = ['', 'Wrote greetings/English.txt', 'Wrote greetings/Vietnamese.txt\nTicked its box'];

/** A loop over `focus.md` as the pipeline runs it. */
export const loopRun = ({ loop = {}, look = boxes, failing = [], lasting = 3 }: Course = {}): PipelineRun =>
  createPipelineRun({
    loop: { focus: 'focus.md' },
    settings: (defaults) =>
      mergeSettings(defaults, {
        loop: { run: ['sh turn.sh'], verify: ['npm test'], max_turns: 10, ...loop },
      }),
    look: (turn) => ({ summary: summaries[turn] ?? `did ${turn}`, ...look(turn) }),
    script: (brief) => {
      const turn = Number(brief.task?.id.slice('turn-'.length));
      if (turn === lasting && brief.mode === 'IMPLEMENT') return null;
      return failing.includes(turn)
        ? [startedTask(brief), ended(brief, failedOutcome(brief))]
        : brief.mode === 'IMPLEMENT'
          ? [startedTask(brief), ended(brief, goodOutcome(brief))]
          : undefined;
    },
  }).start();

/** The run as a story, an event a second; the last turn prints when it works. */
export const loopStory = (run: PipelineRun): Story => {
  const story = createStory();
  for (const { seq: _seq, at: _at, ...body } of run.events) {
    if (body.type === 'session.created') story.add({ ...body, goal: 'Work through focus.md' });
    else story.add(body);
  }
  const [working] = run.open.values();
  if (working === undefined) return story;
  const { invocation, attempt } = working;
  const task = working.task?.id ?? '';
  const command = { cmd: 'sh turn.sh' };
  return story
    .add({ type: 'task.started', task, attempt: attempt ?? 1, invocation, owner: 'script' })
    .add({
      type: 'command.started',
      invocation,
      task,
      attempt: attempt ?? 1,
      index: 0,
      of: 1,
      purpose: 'run',
      command,
      marker: `260215-101500/${invocation}`,
    })
    .add({
      type: 'output.written',
      invocation,
      task,
      attempt: attempt ?? 1,
      stream: 'stdout',
      text: 'Next: Portuguese\n',
      byte: 0,
    })
    .wait(4_000);
};

const running = (): Story => loopStory(loopRun().work());

/** Two turns changed nothing, and one of ten is left after this. */
const endsSoon = (): Story =>
  loopStory(loopRun({ look: () => ({ ...boxes(1), fingerprint: 'same', changed: 0 }) }).work());

const draining = (): Story =>
  loopStory(loopRun().work()).add({ type: 'drain.requested', signal: 'd1', by: 'kim' }).add({
    type: 'state.entered',
    state: 'DRAINING',
    previous: 'RUNNING',
    reason: 'drain requested by kim',
  });

const gaveUp = (): Story => loopStory(loopRun({ failing: [2, 3, 4], lasting: 0 }).finish());

/** The mode `loop`: its turns, its limits, and its ends. */
export const loopingScenes: readonly Scene[] = [
  { name: 'loop', story: running },
  { name: 'loop-turn', story: running, act: (screen) => screen.press('k', 'enter') },
  { name: 'loop-ends-soon', story: endsSoon },
  { name: 'loop-draining', story: draining },
  { name: 'loop-gave-up', story: gaveUp },
];
