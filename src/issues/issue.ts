import { z } from 'zod';
import { issueStateSchema } from './state.ts';

/** Sizes in any case; an absent one counts as S. */
export const estimateSchema = z.enum(['XS', 'S', 'M', 'L', 'XL']);
export type Estimate = z.infer<typeof estimateSchema>;

/** The holder of a lock: one session in one workspace on one machine. */
export const holderSchema = z.object({
  machine: z.string(),
  workspace: z.string(),
  session: z.string(),
});
export type Holder = z.infer<typeof holderSchema>;

/** A lock on an issue in one of the three states with work in progress. */
export const issueLockSchema = z.object({
  /** `null`: another machine's session; the tracker has no place for its name. */
  holder: holderSchema.nullable(),
  /** ISO 8601. */
  since: z.string(),
});
export type IssueLock = z.infer<typeof issueLockSchema>;

/** What the tracker says of the author of a comment. */
const authorRoleSchema = z.enum(['owner', 'member', 'collaborator', 'other']);

export const commentSchema = z.object({
  id: z.string(),
  /** `null` when the tracker names no author. */
  author: z.string().nullable(),
  /** The author's standing in the repository; `null` when the tracker does not say. */
  role: authorRoleSchema.nullable(),
  body: z.string(),
  /** ISO 8601, or an empty text. */
  at: z.string(),
  /** The name of an editor other than the author; `null` when there is none. */
  editedBy: z.string().nullable(),
});
export type IssueComment = z.infer<typeof commentSchema>;

/** A comment from a file that an agent can write: whatever it says of its author is no evidence. */
export const withoutAuthor = (comment: IssueComment): IssueComment => ({
  ...comment,
  author: null,
  role: null,
  editedBy: null,
});

/** The shape of an issue that every tracker gives (src/issues/README.md, Issues and trackers). */
export const issueSchema = z.object({
  /** As the tracker writes it: `42`, `bd-a1b2.3`, `LAN-17`. */
  id: z.string().min(1),
  number: z.number().int().positive().optional(),
  title: z.string(),
  /** A stranger's text: data for a prompt, never a command or a setting. */
  body: z.string(),
  state: issueStateSchema,
  estimate: estimateSchema.nullable(),
  /** 0 is the most urgent; `null` when the tracker has none. */
  priority: z.number().nullable(),
  labels: z.array(z.string()).readonly(),
  parent: z.string().optional(),
  blockedBy: z.array(z.string()).readonly(),
  comments: z.array(commentSchema).readonly(),
  url: z.string().optional(),
  /** Changes with every edit: a write names the revision that it read. */
  revision: z.string(),
  lock: issueLockSchema.optional(),
  /** Why the tracker itself wants no work on it, such as `deferred`. Only a person lifts it. */
  held: z.string().optional(),
});
export type Issue = z.infer<typeof issueSchema>;
export type IssueId = string;

/** Reads an estimate in any case; `null` for anything else. */
export const estimateNamed = (text: string): Estimate | null =>
  estimateSchema.safeParse(text.trim().toUpperCase()).data ?? null;

const oversized: readonly (Estimate | null)[] = ['M', 'L', 'XL'];

/** Whether the estimate alone asks for a split. An issue that has children was split already. */
export const isOversized = (issue: Pick<Issue, 'estimate'>): boolean => oversized.includes(issue.estimate);

/**
 * The size of a part of an issue: its estimate, but below that of the whole, so that splitting ends. Without an estimate both count as S.
 */
export const sizeOfPart = (estimated: Estimate | null, whole: Estimate | null): Estimate | null => {
  const sizes = estimateSchema.options;
  const most = Math.max(sizes.indexOf(whole ?? 'S') - 1, 0);
  return sizes.indexOf(estimated ?? 'S') <= most ? estimated : (sizes[most] ?? null);
};

/** The name of an issue for people and documents: `GH-42` where the tracker counts, else its id. */
export const issueName = (issue: Pick<Issue, 'id' | 'number'>): string =>
  issue.number === undefined ? issue.id : `GH-${issue.number}`;

/** The natural order of ids, so that 9 comes before 10. Ids that only look alike (`7`, `07`) still differ. */
export const byIssueId = (a: IssueId, b: IssueId): number => byParts(partsOf(a), partsOf(b));

/** Issues in natural order. Takes each id apart once, which is what sorting 10,000 of them costs. */
export const inNaturalOrder = <T extends { readonly id: IssueId }>(issues: readonly T[]): readonly T[] =>
  issues
    .map((issue) => ({ issue, parts: partsOf(issue.id) }))
    .sort((a, b) => byParts(a.parts, b.parts))
    .map(({ issue }) => issue);

interface Parts {
  readonly id: IssueId;
  /** Runs of digits and of other characters; of digits without leading zeros. */
  readonly parts: readonly string[];
}

const partsOf = (id: IssueId): Parts => ({
  id,
  parts: (id.match(/\d+|\D+/g) ?? []).map((part) => part.replace(/^0+(?=\d)/, '')),
});

const byParts = (a: Parts, b: Parts): number => {
  for (const [at, mine] of a.parts.entries()) {
    const other = b.parts[at];
    if (other === undefined) return 1;
    if (mine === other) continue;
    const areNumbers = isDigit(mine) && isDigit(other);
    if (areNumbers && mine.length !== other.length) return mine.length - other.length;
    return mine < other ? -1 : 1;
  }
  if (a.parts.length < b.parts.length) return -1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
};

const isDigit = (part: string): boolean => part >= '0' && part < ':';
