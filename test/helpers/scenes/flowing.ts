import { flowStory } from '../flow-story.ts';
import { paneKeys } from '../pane-key.ts';
import { planReview, planViewer } from './plan-review.ts';
import type { Scene } from './scene.ts';

const research = ['research-42', 'research-43', 'research-44'] as const;

/** Stream 42 is at work, and the plan of stream 44 was rejected three times. */
export const streamNeedsPerson = () =>
  flowStory()
    .through(...research, 'plan-42_stream', 'review-42_stream', 'plan-44_stream')
    .refuses('review-44_stream', ['44'])
    .begins('implement-42_stream');

/** Two analysts at work, one of them in another program, and a builder that asks to be let in. */
const team = () => {
  const foreign = {
    program: 'Claude Code',
    process: { boot: 'b', pidNamespace: 'pid:[1]', pid: 5_120, startTime: '1' },
    key: 'a'.repeat(64),
  };
  const story = flowStory();
  story.add({
    type: 'team.formed',
    workers: [
      { name: 'analyst-1', role: 'analyst' },
      { name: 'builder-1', role: 'builder' },
      { name: 'validator-1', role: 'validator' },
      { name: 'integrator-1', role: 'integrator' },
    ],
  });
  story.begins('research-42', 'analyst-1');
  story.add({ type: 'worker.knocked', name: 'analyst-2', role: 'analyst', ...foreign });
  story.add({ type: 'worker.admitted', worker: 'analyst-2', by: 'kim' });
  story.begins('research-43', 'analyst-2').wait(40_000);
  story.add({ type: 'worker.knocked', name: 'builder-2', role: 'builder', ...foreign });
  return story.wait(20_000);
};

/** Issues on their way from triage to merge. */
export const flowingScenes: readonly Scene[] = [
  { name: 'team', story: team, act: (screen) => screen.press(...paneKeys('timeline')) },
  {
    name: 'flow-research',
    story: () => flowStory().through('research-42').begins('research-43').begins('research-44'),
  },
  { name: 'flow-needs-person', story: streamNeedsPerson },
  {
    name: 'flow-needs-person-queue',
    story: () => streamNeedsPerson().add(planReview),
    act: (screen) => screen.press('u'),
  },
  {
    name: 'flow-plan-review',
    story: () =>
      flowStory()
        .through(...research, 'plan-42_stream', 'review-42_stream')
        .add({ ...planReview, task: 'review-42_stream' }),
    options: { viewer: planViewer },
    act: (screen) => screen.press('u'),
  },
  {
    name: 'flow-levels',
    story: () =>
      flowStory()
        .through(...research)
        .begins('plan-42_stream')
        .begins('plan-44_stream'),
    act: (screen) => screen.press('w'),
  },
];
