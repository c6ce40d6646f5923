/** What the program itself says to the next attempt of a task: why the one before failed, its review, or why it was not merged. */
export interface OwnMessage {
  readonly about: (typeof subjects)[number];
  readonly attempt: number;
}

const subjects = ['failed', 'review', 'merge'] as const;

/** The id of such a message. Ids of signals have no colon. */
export const ownMessageId = (about: OwnMessage['about'], task: string, attempt: number): string =>
  `${about}:${task}:${attempt}`;

/** The message with this id, or `null`: a signal. */
export const ownMessageOf = (id: string): OwnMessage | null => {
  const [first, ...rest] = id.split(':');
  const about = subjects.find((subject) => subject === first);
  const attempt = Number(rest.at(-1));
  return about === undefined || !Number.isInteger(attempt) ? null : { about, attempt };
};
