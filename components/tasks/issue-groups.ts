import { safe } from '../../src/base/safe.ts';
import { taskPhaseSchema } from '../../src/issues/task-list/task-phase.ts';
import { type Listed, listOf } from '../../src/pipeline/modes/flow/flow-tasks.ts';
import { issuesNeedingPerson } from '../../src/pipeline/modes/flow/needs-person.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import type { TaskLook } from '../../src/words/task-status.ts';

/** The head of an issue's tasks, or of the tasks that several issues share. */
export interface IssueRow {
  readonly kind: 'issue';
  readonly title: string;
  /** '' for several issues. */
  readonly state: string;
  readonly needsPerson: boolean;
  readonly done: number;
  readonly total: number;
}

/**
 * The tasks of a flow by issue: those of one issue below its title, those of several below their names, after the last of them, in the order of the work.
 * A task that others took over is left out, and they take its place.
 */
export const rowsByIssue = <Row extends { readonly look: TaskLook; readonly partOf: string | null }>(
  session: SessionState,
  lines: ReadonlyMap<string, Row>,
): readonly (IssueRow | Row)[] => {
  const { flow } = session;
  if (flow === null) return [];
  const issues = flow.reading?.issues ?? [];
  const place = new Map(issues.map(({ id }, at) => [id, at]));
  const needing = new Set(issuesNeedingPerson(session).map(({ issue }) => issue));
  const lastOf = (group: readonly string[]): number => Math.max(...group.map((id) => place.get(id) ?? -1));
  const groups = Map.groupBy(listOf(session, flow), ({ listed }) => listed.issues.join(' '));
  return [...groups.values()]
    .flatMap((tasks) => {
      const own = tasks[0]?.listed.issues ?? [];
      const rows = tasks
        .toSorted((one, other) => phaseOf(one) - phaseOf(other))
        .flatMap(({ listed }) => lines.get(listed.id) ?? [])
        .filter(({ look }) => look !== 'replaced');
      return rows.length === 0 ? [] : [{ own, rows }];
    })
    .sort((one, other) => lastOf(one.own) - lastOf(other.own) || one.own.length - other.own.length)
    .flatMap(({ own, rows }): readonly (IssueRow | Row)[] => {
      const only = own.length === 1 ? issues.find(({ id }) => id === own[0]) : undefined;
      return [
        {
          kind: 'issue',
          title: safe(only === undefined ? `${own.join(', ')} together` : `${only.id} ${only.title}`),
          state: own.some((id) => needing.has(id)) ? 'Human Needed' : (only?.state ?? ''),
          needsPerson: own.some((id) => needing.has(id)),
          done: rows.filter(({ look }) => look === 'done').length,
          total: rows.length,
        },
        ...rows.map((row, at) => ({ ...row, partOf: null, last: at === rows.length - 1 })),
      ];
    });
};

const phaseOf = ({ listed }: Listed): number => taskPhaseSchema.options.indexOf(listed.phase);
