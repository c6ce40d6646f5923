import { z } from 'zod';
import type { Fault, Parsed } from '../../base/fault.ts';
import { fromJson } from '../../base/json.ts';

const levels = ['critical', 'high', 'medium', 'low'] as const;

/** One line of `.ralph/acknowledged.jsonl`: a person has seen a finding, or wants to see it again (`undo`). */
const acknowledgementSchema = z.object({
  id: z.string().min(1).max(500),
  /** Its severity when it was acknowledged. A more severe finding appears again. */
  severity: z.enum(levels),
  /** ISO 8601 with offset. */
  at: z.string(),
  by: z.string().optional(),
  /** It was critical, and the person started a session anyway. */
  despite: z.literal(true).optional(),
  undo: z.literal(true).optional(),
});
export type Acknowledgement = Readonly<z.infer<typeof acknowledgementSchema>>;

/** Relative to the project directory. The file is append-only. */
export const acknowledgedFileName = '.ralph/acknowledged.jsonl';

/** The current acknowledgements: the last line of each id counts. */
export type Acknowledged = ReadonlyMap<string, Acknowledgement>;

/** Parses the file. Reports and skips a damaged line. */
export const parseAcknowledged = (text: string, file = acknowledgedFileName): Parsed<Acknowledged> => {
  const value = new Map<string, Acknowledgement>();
  const problems: Fault[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const checked = acknowledgementSchema.safeParse(fromJson(line));
    if (!checked.success)
      problems.push({
        code: 'acknowledged-line',
        what: 'is not an acknowledgement',
        where: `${file}:${index + 1}`,
      });
    else if (checked.data.undo) value.delete(checked.data.id);
    else value.set(checked.data.id, checked.data);
  }
  return { value, problems };
};

/** Whether a person has seen a finding and its severity has not risen since. */
export const isAcknowledged = (
  acknowledged: Acknowledged,
  { id, severity }: { readonly id: string; readonly severity: Acknowledgement['severity'] },
): boolean => {
  const known = acknowledged.get(id);
  return known !== undefined && levels.indexOf(severity) >= levels.indexOf(known.severity);
};
