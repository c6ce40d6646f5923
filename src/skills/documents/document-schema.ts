/** What a document of a skill consists of. */
export interface DocumentSchema {
  /** Below `docs_root`. */
  readonly folder: string;
  readonly type: string;
  readonly statuses: readonly [string, ...string[]];
  /** Keys of the front matter beside `date`, `status` and `type`. */
  readonly keys: readonly string[];
  /** Headings of the second level, each needed. */
  readonly sections: readonly string[];
  /** Phases `## Phase 1: …` with automated and manual criteria. */
  readonly phases: boolean;
  /** The section whose `file:line` references must exist; `null` without. */
  readonly references: string | null;
  /** An open question makes it unfinished. */
  readonly noQuestions: boolean;
}

/** The documents that skills make, by the name in `metadata.document` of the skill. */
export const documentSchemas = {
  idea: {
    folder: 'ideas',
    type: 'idea',
    statuses: ['draft', 'formed'],
    keys: ['author', 'tags', 'github_issue'],
    sections: ['The Idea', 'Why This Matters', 'Rough Shape', 'Open Questions', 'Related'],
    phases: false,
    references: null,
    noQuestions: false,
  },
  research: {
    folder: 'research',
    type: 'research',
    statuses: ['draft', 'complete'],
    keys: ['author'],
    sections: ['Question', 'Summary', 'Findings', 'Code References', 'Open Questions'],
    phases: false,
    references: 'Code References',
    noQuestions: false,
  },
  plan: {
    folder: 'plans',
    type: 'plan',
    statuses: ['draft', 'approved', 'done'],
    keys: ['author', 'github_issue'],
    sections: [
      'Overview',
      'Current State',
      'Desired End State',
      'Not Doing',
      'Approach',
      'Testing',
      'References',
    ],
    phases: true,
    references: null,
    noQuestions: true,
  },
  /** What an agent hands in for an issue: made in the tracker, and no file. */
  issue: {
    folder: '',
    type: 'issue-draft',
    statuses: ['draft'],
    keys: ['estimate'],
    sections: ['Summary', 'Acceptance Criteria', 'Context'],
    phases: false,
    references: null,
    noQuestions: false,
  },
} as const satisfies Readonly<Record<string, DocumentSchema>>;
export type DocumentName = keyof typeof documentSchemas;

export const documentNamed = (name: string | undefined): DocumentName | null =>
  name === 'idea' || name === 'research' || name === 'plan' || name === 'issue' ? name : null;
