import { printedCommand } from '../../base/process/printed-command.ts';
import { safe } from '../../base/safe.ts';
import type { Issue, IssueId } from '../../issues/issue.ts';
import { openQuestions } from '../../pipeline/questions/open-questions.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { formatStatus } from '../../words/format-status.ts';
import { count } from '../../words/local-time.ts';
import { answerCommand } from '../../words/session-command.ts';
import { refusedWords, streamWords } from '../../words/stream-words.ts';
import type { Cli } from '../cli.ts';
import type { SeenSession } from '../issues/issue-sessions.ts';
import { goTo } from '../report/summary.ts';
import type { OpenSession } from '../session/open-session.ts';

/** What a person reads of a service for issues. */
export interface WorkNews {
  /** What would begin, in its order. */
  readonly list: (
    issues: readonly Issue[],
    run: { readonly labels: readonly string[]; readonly max: number },
  ) => void;
  readonly begins: (issue: Issue | undefined, id: IssueId) => void;
  /** True when it is news. */
  readonly standing: (seen: SeenSession) => boolean;
  readonly ended: (issue: IssueId, session: OpenSession) => void;
  /** Issues that begin once what they build on is here; said once for each. */
  readonly behind: (issues: readonly IssueId[]) => void;
  readonly problem: (sentence: string) => void;
  readonly draining: (sessions: number) => void;
  /** The sessions that still run when the service ends. */
  readonly over: (left: readonly SessionPaths[]) => void;
}

export const createWorkNews = (cli: Cli, workspace: string, mode: 'plain' | 'json'): WorkNews => {
  const known = new Map<IssueId, string>();
  const say = (lines: readonly string[], data: object): void => {
    if (mode === 'json') cli.printJson(data);
    else for (const line of lines) cli.print(line);
  };
  const here = `${goTo(workspace)} && `;
  return {
    list: (issues, run) => {
      for (const line of listLines(issues, run)) cli.print(line);
    },
    begins: (issue, id) => {
      if (mode === 'plain') cli.print(`\n${named(issue, id)}`);
    },
    standing: (seen) => {
      const { issue, state, standing, paths } = seen;
      const words = standing === 'waits' ? waitWords(seen, here) : [];
      const key = [standing, ...words].join('\n');
      if (known.get(issue) === key) return false;
      known.set(issue, key);
      const asked = openQuestions(state).map(({ request }) => request);
      if (standing === 'waits') say(words, { issue, session_id: paths.session, standing, asked });
      return true;
    },
    ended: (issue, { paths, state }) => {
      known.delete(issue);
      const status = formatStatus(state.status, state.stopReason ?? '');
      say(
        [
          `Issue ${safe(issue)}: session ${paths.session} ${status}`,
          ...streamWords(state, here).map((words) => `  changes  ${words}`),
        ],
        { issue, session_id: paths.session, standing: 'ended', status: state.status },
      );
    },
    behind: (issues) => {
      for (const issue of issues) {
        if (known.get(issue) === 'behind') continue;
        known.set(issue, 'behind');
        say(
          [
            `Issue ${safe(issue)} builds on work that is merged on GitHub, and not in this clone yet`,
            `  update   ${here}git pull`,
          ],
          { issue, session_id: null, standing: 'behind' },
        );
      }
    },
    problem: (sentence) => cli.note(`ralph-tui: ${safe(sentence)}`),
    draining: (sessions) =>
      cli.note(
        sessions === 0
          ? 'ralph-tui: nothing more is started'
          : `ralph-tui: nothing more is started; waiting until the agents of ${count(sessions, 'session')} have finished (stop again: leave them running in the background)`,
      ),
    over: (left) => {
      for (const { session } of left)
        cli.note(`ralph-tui: session ${session} still runs: ${here}ralph-tui attach ${session}`);
      cli.note('ralph-tui: the same command continues what is left');
    },
  };
};

const named = (issue: Issue | undefined, id: IssueId): string =>
  issue === undefined ? `Issue ${safe(id)}` : `Issue ${safe(id)}: ${safe(issue.title)}`;

const mostListed = 20;

const listLines = (
  issues: readonly Issue[],
  { labels, max }: { readonly labels: readonly string[]; readonly max: number },
): readonly string[] => {
  const which = labels.length === 0 ? '' : ` with the label ${labels.map(safe).join(' or ')}`;
  const more = issues.length - mostListed;
  return [
    issues.length === 0
      ? `No issue${which} is ready now.`
      : `${count(issues.length, 'issue')}${which} ${issues.length === 1 ? 'is' : 'are'} ready, in this order:`,
    ...issues.slice(0, mostListed).map((issue) => {
      const { priority, estimate, state } = issue;
      const facts = [
        state,
        ...(estimate === null ? [] : [estimate]),
        ...(priority === null ? [] : [`priority ${priority}`]),
      ];
      return `  ${safe(issue.id)}  ${safe(issue.title)} (${facts.join(', ')})`;
    }),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `At most ${count(max, 'session')} work at the same time; each issue is shown before its own session starts.`,
  ];
};

/** What a session waits for, and what a person can do about it. */
const waitWords = ({ issue, paths, state }: SeenSession, here: string): readonly string[] => {
  const [question] = openQuestions(state);
  const about = `Issue ${safe(issue)}`;
  if (question !== undefined)
    return [
      `${about} waits for you: ${safe(question.text)}`,
      `  decide   ${here}${answerCommand(paths.session, question)}`,
    ];
  if (state.hold !== null || state.permissions.size > 0)
    return [
      `${about} waits for you`,
      `  watch    ${here}${printedCommand('ralph-tui', 'attach', paths.session)}`,
    ];
  const refused = refusedWords(state).map((words) => `  refused  ${words}`);
  return [
    `${about} waits for its pull request`,
    ...streamWords(state).map((words) => `  changes  ${words}`),
    ...refused,
  ];
};
