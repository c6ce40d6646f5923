import type { Cancel, Clock } from '../../base/clock.ts';
import type { Random } from '../../base/random.ts';
import type { Pipe, PipeEnd } from '../link/pipe.ts';
import type { Database } from './database.io.ts';
import { type Job, type JobGate, type Refusal, signClaim, type Work } from './job.io.ts';
import { digestOf, type Identity } from './keys.io.ts';
import type { Desk, Postbox } from './postbox.ts';
import type { Queue } from './queue.io.ts';
import type { RowWriter } from './row-writer.ts';

/** What serves one link on this machine. */
interface Served {
  readonly attach: (pipe: Pipe) => PipeEnd;
  /** Stops its agents and keeps their work. */
  readonly end: () => Promise<void>;
  /** Resolves when nothing of it is left to do. */
  readonly over: Promise<void>;
}

export interface PoolRunnerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly identity: Identity;
  readonly database: Database;
  readonly queue: Queue;
  /** Of this directory, for each process that works in it. */
  readonly runner: string;
  readonly name: string;
  readonly program: string;
  readonly pool: string;
  readonly slots: number;
  readonly accept: readonly string[];
  /** Opens what works for a link. `work`: the only invocation that it may open; `null`: none. */
  readonly serve: (link: string, work: Work | null) => Served;
  /** Sessions whose late work is here. */
  readonly late: () => readonly string[];
  readonly said: (news: RunnerNews) => void;
}

export type RunnerNews =
  | { readonly kind: 'joined'; readonly number: number }
  | { readonly kind: 'claimed' | 'ended'; readonly work: Work }
  | { readonly kind: 'refused'; readonly why: Refusal }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'reached' };

/** One link that this process works for. */
export interface Active {
  readonly job: Job;
  /** Its row in the queue; `null`: a host asks about the runner. */
  readonly id: string | null;
  readonly served: Served;
  readonly desk: Desk;
  readonly writer: RowWriter;
  /** The host counts them. */
  connection: number;
  pipe: Pipe | null;
  end: PipeEnd | null;
}

/** A runner's process. */
export interface RunnerState {
  readonly ports: PoolRunnerPorts;
  readonly gate: JobGate;
  readonly process: string;
  readonly active: Map<string, Active>;
  readonly refused: Map<Refusal, number>;
  readonly postbox: Postbox;
  readonly empty: PromiseWithResolvers<void>;
  number: number;
  claiming: boolean;
  claimAgain: boolean;
  leaving: boolean;
  handingBack: boolean;
  readonly stops: Set<Cancel>;
}

/** The claim of a job, signed. `key`: ours for its link. */
export const claimText = (state: RunnerState, { link }: Job, signed: string, key: string): string => {
  const { ports, process, number } = state;
  const job = digestOf(signed);
  return signClaim(ports.identity, { link, job, runner: ports.runner, process, number, key });
};
