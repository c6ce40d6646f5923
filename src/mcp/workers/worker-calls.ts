import type { FlowRole } from '../../issues/task-list/task-phase.ts';
import type { WorkerMessage } from '../../issues/team/door.ts';
import type { OutsideCalls } from '../outside/outside-calls.ts';
import type { ToolAnswer, Turn } from '../tool.ts';

/** What the tools of a worker of another program do: read the files of the session, and ask the program that runs it. */
export interface WorkerCalls
  extends Turn,
    Pick<OutsideCalls, 'tasks' | 'report' | 'brief' | 'status' | 'questions'> {
  readonly team: FlowRole;
  claim(task: string | null): Promise<ToolAnswer>;
  release(reason: string): Promise<ToolAnswer>;
  message(message: WorkerMessage): Promise<ToolAnswer>;
  /** Runs one of our tools on the work in hand. */
  onWork(tool: string, input: unknown): Promise<ToolAnswer>;
}
