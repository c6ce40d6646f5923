import { flowStory } from '../flow-story.ts';
import { planReview } from './plan-review.ts';
import type { Scene } from './scene.ts';

const research = ['research-42', 'research-43', 'research-44'] as const;

/** Stream 42 is at work, and the plan of stream 44 was rejected three times. */
export const streamNeedsPerson = () =>
  flowStory()
    .through(...research, 'plan-42_stream', 'review-42_stream', 'plan-44_stream')
    .refuses('review-44_stream', ['44'])
    .begins('implement-42_stream');

/** Issues on their way from triage to merge. */
export const flowingScenes: readonly Scene[] = [
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
    name: 'flow-levels',
    story: () =>
      flowStory()
        .through(...research)
        .begins('plan-42_stream')
        .begins('plan-44_stream'),
    act: (screen) => screen.press('w'),
  },
];
