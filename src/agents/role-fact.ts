import type { Decided } from '../signals/steer-decision.ts';
import type { Command } from '../tasks/task.ts';
import type { AgentFact } from './agent-facts.ts';

/** Progress of a working invocation. The engine turns each into an event of the same name. */
export type RoleFact =
  | { readonly type: 'task.started' }
  | {
      readonly type: 'command.started';
      readonly index: number;
      readonly command: Command;
      readonly of: number;
      readonly purpose: 'run' | 'verify' | 'on_steer' | 'setup';
    }
  | {
      readonly type: 'process.started';
      readonly index: number;
      readonly pid: number;
      readonly start_time: string;
    }
  | {
      readonly type: 'command.ended';
      readonly index: number;
      readonly exit: string;
      readonly ok: boolean;
      readonly duration_ms: number;
    }
  | {
      readonly type: 'steer.decided';
      readonly id: string;
      readonly verdict: Decided;
      readonly evidence: string;
      readonly action: string;
    }
  | { readonly type: 'finding.noted'; readonly text: string }
  | AgentFact;
