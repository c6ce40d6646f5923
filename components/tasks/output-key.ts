/** The log of a task's attempt, or of an invocation without a task. */
export const outputKey = (subject: string, attempt?: number | null): string =>
  attempt === undefined || attempt === null ? subject : `${subject}#${attempt}`;
