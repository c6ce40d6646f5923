import { agents } from './agents.ts';
import { checkpoints } from './checkpoints.ts';
import { conventions } from './conventions.ts';
import { events } from './events.ts';
import { keys } from './keys.ts';
import { outside } from './outside.ts';
import { proof } from './proof.ts';
import { security } from './security.ts';
import { settings } from './settings.ts';
import type { Topic } from './topic.ts';

/** Every topic of `ralph-tui help`, in the order it lists them. */
export const topics: readonly Topic[] = [
  agents,
  outside,
  conventions,
  keys,
  checkpoints,
  settings,
  events,
  security,
  proof,
];
