import { assertNever } from '../base/assert-never.ts';
import type { Reach } from './agent-facts.ts';

/** How a message that does not wait (`!`) reaches an agent that replies: "reaches the agent …". */
export const nowWords = 'now: its reply is interrupted for it';

/** When a message reaches an agent that replies (src/agents/README.md, Signals on a running agent): "reaches the agent …". */
export const reachWords = (reach: Reach, type: 'STEER' | 'INFO'): string => {
  switch (reach) {
    case 'steering':
      return 'now, through its steering extension';
    case 'second-prompt':
      return 'now, with a second prompt';
    case 'pull':
      return type === 'STEER'
        ? 'between two of its tools; after 30 s without one its reply is cut off for it'
        : 'between two of its tools, or when this turn ends';
    case 'cutting-steering':
      return type === 'STEER'
        ? 'now, through its steering extension, which cuts its reply'
        : reachWords('tool-result', type);
    case 'tool-result':
      return type === 'STEER'
        ? 'with its next call of our tools; after 30 s without one its reply is cut off for it'
        : 'with its next call of our tools, or when this turn ends';
    case 'turn-end':
      return type === 'STEER'
        ? 'when this turn ends; after 30 s its reply is cut off for it'
        : 'when this turn ends';
    default:
      return assertNever(reach);
  }
};
