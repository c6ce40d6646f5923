/** The mail that waits for a worker, which reads it at its boundary. */
export interface WaitingMail {
  /** It contains a STEER. */
  readonly steer: boolean;
  /** Its sender wants to cancel the current reply for it (`!`). */
  readonly now: boolean;
  /** It says why the person refused what the agent asked for just now: the reply goes on with it, or ends for it. */
  readonly refused?: boolean;
  /** The session is held since then, and no mail is taken: a worker that waits for a person passes its boundary, and a reply that goes on is cut off in the end. */
  readonly held?: string;
}
