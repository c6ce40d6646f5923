import { assertNever } from '../base/assert-never.ts';
import type { Reach } from './agent-facts.ts';

/** How a message that does not wait (`!`) reaches an agent that replies: "reaches the agent …". */
export const nowWords = 'now: this interrupts its reply';

/** When the reason of a refusal reaches the agent that asked. */
export const refusalWords = (reach: Reach): string => {
  if (reach === 'tool-result' || reach === 'turn-end') return 'with the refusal, which cuts off its reply';
  return reach === 'pull' ? 'right after the refusal' : reachWords(reach, 'STEER');
};

/** When a message reaches an agent that replies (src/agents/README.md, Signals on a running agent): "reaches the agent …". */
export const reachWords = (reach: Reach, type: 'STEER' | 'INFO'): string => {
  switch (reach) {
    case 'steering':
      return 'with the next request to its model, through its steering extension';
    case 'second-prompt':
      return 'with the next request to its model, by a second prompt';
    case 'pull':
      return type === 'STEER'
        ? 'between two tool calls; after 30 s without one, this cuts off its reply'
        : 'between two tool calls, or when this turn ends';
    case 'cutting-steering':
      return type === 'STEER'
        ? 'now, through its steering extension, which cuts off its reply'
        : reachWords('tool-result', type);
    case 'tool-result':
      return type === 'STEER'
        ? 'with its next call to a ralph-tui tool; after 30 s without one, this cuts off its reply'
        : 'with its next call to a ralph-tui tool, or when this turn ends';
    case 'turn-end':
      return type === 'STEER'
        ? 'when this turn ends; after 30 s, this cuts off its reply'
        : 'when this turn ends';
    default:
      return assertNever(reach);
  }
};
