import type { StripCell } from '../../../components/frame/flow-strip.ts';
import type { DetailLine } from '../../words/detail-line.ts';
import type { PageChanges } from './page-changes.ts';
import type { CostRow } from './page-costs.ts';
import type { PageTask } from './page-task.ts';
import type { PageTimeline } from './page-timeline.ts';
import type { Steering } from './steering.ts';

/**
 * What a reader wants to know of a session, as plain data: `export --json` prints it, the page and the summary are drawn from it. Every text has
 * passed `safe()`. Times are ISO 8601, durations milliseconds.
 */
export interface PageModel {
  readonly format: 1;
  readonly session: string;
  readonly goal: string;
  readonly mode: string;
  readonly iteration: number;
  readonly state: string;
  readonly status: string;
  /** What it does now or why it stopped, in one line. */
  readonly now: string;
  readonly tone: PageTone;
  readonly startedAt: string | null;
  /** The last event that the page knows. */
  readonly at: string;
  /** Minutes east of UTC for the times of day on the page. */
  readonly offset: number;
  /** "worked 0:41, waited 26 min". */
  readonly time: string;
  /** "$0.42 · 45.2k tokens"; '' where no agent reported its use. */
  readonly used: string;
  readonly progress: { readonly done: number; readonly failed: number; readonly total: number };
  /** "Plan", "Work", … with the part the session is in. */
  readonly strip: readonly StripCell[];
  readonly needs: readonly PageNeed[];
  readonly tasks: readonly PageTask[];
  readonly timeline: PageTimeline;
  readonly steering: readonly Steering[];
  readonly changes: PageChanges;
  readonly costs: { readonly agents: readonly CostRow[]; readonly tasks: readonly CostRow[] };
  readonly review: PageReview | null;
  readonly lessons: readonly PageLesson[];
  /** The session in sentences, the oldest first. */
  readonly events: readonly PageEvent[];
  /** Sentences that were left out before the first one. */
  readonly eventsLeftOut: number;
  readonly problems: readonly string[];
  /** What redaction removed, by kind. */
  readonly removed: readonly { readonly kind: string; readonly count: number }[];
  /** Holds no text of the session: every text is a name like `text-12`. */
  readonly structure: boolean;
}

export type PageTone = 'work' | 'wait' | 'you' | 'held' | 'bad' | 'good';

/** Something that waits for a person, with what the decision depends on. */
export interface PageNeed {
  readonly kind: 'knowledge' | 'permission' | 'question' | 'unproven' | 'issue';
  readonly text: string;
  readonly since: string;
  readonly context: readonly string[];
  /** The choices in words. */
  readonly options: readonly string[];
}

interface PageReview {
  readonly assessment: string;
  readonly goalsAchieved: boolean;
  readonly gaps: readonly string[];
}

/** A lesson of the current iteration. */
export interface PageLesson {
  readonly file: string;
  /** Its first heading, else the file. */
  readonly title: string;
  readonly fate: 'kept' | 'carried' | 'waits for you' | 'not kept';
  readonly text: readonly DetailLine[];
}

export interface PageEvent {
  readonly seq: number;
  readonly at: string;
  readonly text: string;
}
