/** Events that only change the invocation they name. A settled invocation is removed from the state. */
const steps: ReadonlySet<string> = new Set([
  'checkpoint.reached',
  'command.started',
  'process.started',
  'command.ended',
]);

/** Events that remove the invocation they name from the state (`settle` in `pipeline/evolve`). */
const settlings: ReadonlySet<string> = new Set([
  'task.submitted',
  'task.verified',
  'verify.disturbed',
  'review.passed',
  'review.missed',
  'merge.verified',
  'task.qualified',
  'task.failed',
  'task.escalated',
  'invocation.settled',
]);

/**
 * Finds the lines of a journal block that a fold can skip: the steps of an invocation whose result is settled in the same block.
 * They are more than half of a session, and parsing dominates the cost of reading. Returns the line's `seq`, or `null` for a
 * line to parse. Relies on our writer's field order: `type` first, `seq` and `at` last. A line in another order is parsed.
 */
export const settledSteps = (lines: readonly string[]): ((line: string) => number | null) => {
  const settled = new Set<string>();
  for (const line of lines) {
    const invocation = settlings.has(typeOf(line)) ? invocationOf(line) : null;
    if (invocation !== null) settled.add(invocation);
  }
  return (line) => {
    if (!steps.has(typeOf(line))) return null;
    const invocation = invocationOf(line);
    return invocation !== null && settled.has(invocation) ? seqOf(line) : null;
  };
};

const start = '{"type":"';

const typeOf = (line: string): string =>
  line.startsWith(start) ? line.slice(start.length, line.indexOf('"', start.length)) : '';

const field = '"invocation":"';

/** The last field of that name: a command's environment may hold an earlier one. */
const invocationOf = (line: string): string | null => {
  const from = line.lastIndexOf(field);
  return from < 0 ? null : line.slice(from + field.length, line.indexOf('"', from + field.length));
};

const ending = /"seq":(\d+),"at":"[^"\\]*"\}$/;

const seqOf = (line: string): number | null => {
  const seq = ending.exec(line.slice(-80))?.[1];
  return seq === undefined ? null : Number(seq);
};
