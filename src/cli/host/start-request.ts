import type { Subject } from '../trust/trust-subjects.ts';
import type { EngineRequest } from './wire.ts';

/** A session ready to start or resume. Everything is read once, so the accepted bytes are the ones that run. */
export interface StartRequest {
  readonly workspace: string;
  /** Everything in the repository that would run commands or widen permissions. */
  readonly subjects: readonly Subject[];
  /** A new session in which agents with a model work: discovery runs before it. */
  readonly discovers: boolean;
  /** Builds the request; creates the directory of a new session. */
  readonly engine: () => EngineRequest;
}
