import type { TaskLook } from './task-status.ts';

/** How each status of a task looks: its sign, the same in plain ASCII, and its tone. The signs differ in shape. */
export const lookSigns: {
  readonly [look in TaskLook]: readonly [sign: string, ascii: string, tone: LookTone];
} = {
  ready: ['○', 'o', 'text'],
  waiting: ['·', '.', 'secondary'],
  unreachable: ['⊘', '!', 'failed'],
  running: ['▸', '/', 'now'],
  asks: ['?', '?', 'needs-you'],
  paused: ['‖', '=', 'held'],
  'to-review': ['◇', 'p', 'held'],
  reviewing: ['◆', 'P', 'now'],
  again: ['↻', 'r', 'held'],
  done: ['✓', '+', 'done'],
  failed: ['✗', 'x', 'failed'],
  cancelled: ['–', 'C', 'secondary'],
  replaced: ['⇢', '>', 'secondary'],
  commented: ['◉', '*', 'needs-you'],
};

type LookTone = 'text' | 'secondary' | 'now' | 'needs-you' | 'done' | 'failed' | 'held';
