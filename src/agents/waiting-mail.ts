/** The mail that waits for a worker, which reads it at its boundary. */
export interface WaitingMail {
  /** It contains a STEER. */
  readonly steer: boolean;
  /** Its sender wants to cancel the current reply for it (`!`). */
  readonly now: boolean;
  /** The mailbox is empty, but the session is held: a worker that waits for a person passes its boundary. */
  readonly held?: boolean;
}
