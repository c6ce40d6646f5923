import { z } from 'zod';
import { failedCommandSchema } from '../../agents/command-result.ts';

/** Why an attempt failed, for decisions and for the words on screens. The `reason` beside it is the same as one sentence, for agents and files. */
export const failureCauseSchema = z.object({
  /** What it failed at, or who ended it: its own work, its checks, a review, the merge, a limit, crashes, a person, a task that the plan has no more. */
  who: z.enum(['work', 'verify', 'review', 'merge', 'limit', 'crash', 'person', 'definition']),
  /** The command that failed; absent where none did. */
  command: failedCommandSchema.optional(),
});
export type FailureCause = z.infer<typeof failureCauseSchema>;

/** The cause in a journal from before events had one: its sentences began with who says so, then with the command. */
export const causeOf = (reason: string): FailureCause => {
  if (reason === 'Task definition missing') return { who: 'definition' };
  const [, who = ''] = /^(review|verify|after the merge|merge)\b[^:`]*: /.exec(reason) ?? [];
  const [, text, exit, signal, late = '', said = ''] =
    /^(?:[^:`]*: )?`(.+?)` (?:exited (\d+)|was terminated by (\w+)|(timed out)) after [\d.]+ m?s\b[:;.]? ?(.*)$/s.exec(
      reason,
    ) ?? [];
  return {
    who: whoOf[who] ?? 'work',
    ...(text === undefined ? {} : { command: { text, exit: exit ?? signal ?? late, said } }),
  };
};

const whoOf: Readonly<Record<string, FailureCause['who']>> = {
  review: 'review',
  verify: 'verify',
  merge: 'person',
  'after the merge': 'merge',
};
