import { arrivingScenes } from './arriving.ts';
import { changingScenes } from './changing.ts';
import { drawingScenes } from './drawing.ts';
import { flowingScenes } from './flowing.ts';
import { issueScenes } from './issues.ts';
import { lookingScenes } from './looking.ts';
import { loopingScenes } from './looping.ts';
import { permittingScenes } from './permitting.ts';
import { planReviewScenes } from './plan-review.ts';
import { readingScenes } from './reading.ts';
import { rehearsalScenes } from './rehearsal.ts';
import { sayingScenes } from './saying.ts';
import type { Scene } from './scene.ts';
import { setupScenes } from './setup.ts';
import { statisticsScenes } from './statistics.ts';
import { steeringScenes } from './steering.ts';
import { talkScenes } from './talk.ts';
import { timingScenes } from './timing.ts';
import { waitingScenes } from './waiting.ts';
import { wizardScenes } from './wizard.ts';

/** Every scene that has golden frames. What holds for the whole screen is tested on all of them. */
export const scenes: readonly Scene[] = [
  ...steeringScenes,
  ...waitingScenes,
  ...permittingScenes,
  ...readingScenes,
  ...sayingScenes,
  ...changingScenes,
  ...lookingScenes,
  ...drawingScenes,
  ...timingScenes,
  ...arrivingScenes,
  ...rehearsalScenes,
  ...statisticsScenes,
  ...loopingScenes,
  ...wizardScenes,
  ...setupScenes,
  ...issueScenes,
  ...flowingScenes,
  ...talkScenes,
  ...planReviewScenes,
];
