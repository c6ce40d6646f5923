import type { Agent, Signal } from '../../signals/signal.ts';
import type { TaskReads, ToolAnswer, Turn } from '../tool.ts';

/**
 * What the tools for an agent of another program can do with a session: read its files, and write signals. No engine need run. Nothing here approves,
 * raises a limit, or answers what only a person may (src/signals/README.md).
 */
export interface OutsideCalls extends Turn, TaskReads {
  /** The role of `--as`. `null`: a program that watches and steers instead of working in the session. */
  readonly role: Agent | null;
  status(): ToolAnswer;
  questions(): ToolAnswer;
  /** Names the task this agent works on. Only then it takes the messages for its role. */
  workOn(task: string): ToolAnswer;
  answer(answer: Answer): ToolAnswer;
  send(signal: SentSignal): ToolAnswer;
}

export interface Answer {
  readonly request: string;
  readonly option?: string | undefined;
  readonly message?: string | undefined;
}

/** The signals that a program may send: those that tell, hold, continue or do again. */
export const sentTypes = ['INFO', 'STEER', 'PAUSE', 'RESUME', 'RETRY', 'CANCEL'] as const;

interface SentSignal {
  readonly type: (typeof sentTypes)[number];
  readonly target: Signal['target'];
  readonly message?: string | undefined;
  readonly task?: string | undefined;
}
