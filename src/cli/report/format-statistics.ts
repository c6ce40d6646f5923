import { safe } from '../../base/safe.ts';
import type { Usage, UsageCounts } from '../../observability/statistics/count-usage.ts';
import type { Rate } from '../../observability/statistics/counter.ts';
import type { Durations } from '../../observability/statistics/durations.ts';
import type { Statistics } from '../../observability/statistics/statistics.ts';
import type { TalkCounts } from '../../skills/talk/count-talks.ts';
import { count, formatElapsed } from '../../words/local-time.ts';
import { stateWord } from '../../words/state-words.ts';
import { costWord, shortCount } from '../../words/usage-words.ts';
import { formatTable } from './table.ts';

/** Cells of the longest bar. */
const longestBar = 20;

/** The statistics as text: every rate with what it is a part of. Parts without anything to say are left out. */
export const formatStatistics = (
  { sessions, tasks, times, signals, usage }: Statistics,
  conversations: readonly TalkCounts[] = [],
): string =>
  [
    part('Sessions', [
      ['', '', String(sessions.total)],
      ...sessions.outcomes.map(({ status, share }) => shareRow(status.replaceAll('_', ' '), share)),
    ]),
    part(
      'Aborts and limits',
      sessions.stops.map((stop) => [safe(stop.cause), '', String(stop.count)]),
    ),
    part('Tasks', [
      ['', '', String(tasks.total)],
      ...tasks.outcomes.map(({ outcome, share }) =>
        shareRow(outcome === 'qualified' ? 'done' : outcome, share),
      ),
    ]),
    part('Done on the first attempt', [
      ...(tasks.firstPass.of === 0 ? [] : [shareRow('all agents', tasks.firstPass)]),
      ...tasks.firstPassByAgent
        .filter(({ share }) => share.of > 0)
        .map(({ agent, share }) => shareRow(safe(agent), share)),
    ]),
    part('Attempts per task', [
      ...tasks.byAttempts.map((row) =>
        barRow(String(row.attempts), row.tasks, tasks.attempts.tasks, count(row.tasks, 'task')),
      ),
      ...(tasks.attempts.perTask === null
        ? []
        : [
            [
              'mean',
              '',
              `${tasks.attempts.perTask.toFixed(2)} (${count(tasks.attempts.total, 'attempt')} at ${count(tasks.attempts.tasks, 'task')})`,
            ],
          ]),
    ]),
    part('Failed attempts', withBars(tasks.causes.map(({ cause, count: amount }) => [cause, amount]))),
    part('Retries', retriesOf(tasks.retries)),
    part('Time by state', withBars(timesByWord(times.states), formatElapsed)),
    part(
      'Waited for a person',
      times.waits
        .filter((wait) => wait.count > 0)
        .map((wait) => [wait.for, '', `${durationWords(wait)}, ${formatElapsed(wait.total)} in all`]),
    ),
    part(
      'Signals',
      signals.map((kind) => [kind.type, '', signalWords(kind)]),
    ),
    part('Lessons', sessions.knowledgeKept.of === 0 ? [] : [shareRow('kept', sessions.knowledgeKept)]),
    ...usageParts(usage),
    part('Conversations with a skill', conversations.map(talkRow)),
  ]
    .filter((text) => text !== '')
    .join('\n\n');

/** What the numbers leave out, as a sentence. */
export const leftOut = (foreign: number): string =>
  `${foreign} ${foreign === 1 ? 'session has' : 'sessions have'} no journal and ${foreign === 1 ? 'is' : 'are'} left out.`;

type Row = readonly string[];

const part = (title: string, rows: readonly Row[]): string =>
  rows.length === 0
    ? ''
    : `${title}\n${formatTable(rows)
        .split('\n')
        .map((line) => `  ${line}`.trimEnd())
        .join('\n')}`;

/** Several states of the engine are one to a person. */
const timesByWord = (
  states: Statistics['times']['states'],
): readonly (readonly [word: string, ms: number])[] =>
  [...Map.groupBy(states, ({ state }) => stateWord(state, 'waves', 'completed'))].map(([word, own]) => [
    word,
    own.reduce((sum, { ms }) => sum + ms, 0),
  ]);

/** "3 of 4, 75 %". */
const shareRow = (name: string, { count: some, of, rate }: Rate): Row => [
  name,
  bar(some, of),
  `${some} of ${of}${rate === null ? '' : `, ${Math.round(rate * 100)}%`}`,
];

const barRow = (name: string, value: number, of: number, words: string): Row => [name, bar(value, of), words];

const bar = (value: number, of: number): string =>
  of === 0 ? '' : '█'.repeat(Math.round((value / of) * longestBar));

const withBars = (
  rows: readonly (readonly [name: string, value: number])[],
  words: (value: number) => string = String,
): readonly Row[] => {
  const all = rows.reduce((sum, [, value]) => sum + value, 0);
  return rows.map(([name, value]) => [name, bar(value, all), words(value)]);
};

const retriesOf = ({ attempts, calls, resets }: Statistics['tasks']['retries']): readonly Row[] =>
  [
    ['attempts after a failure', attempts],
    ['agent calls', calls],
    ['tasks reopened', resets],
  ].flatMap(([name, amount]): readonly Row[] => (amount === 0 ? [] : [[String(name), '', String(amount)]]));

const durationWords = ({ count: amount, median, p95 }: Durations): string =>
  median === null || p95 === null
    ? `${amount}×`
    : `${amount}×, median ${formatElapsed(median)}, p95 ${formatElapsed(p95)}`;

const signalWords = (kind: Statistics['signals'][number]): string =>
  [
    `${kind.sent} sent`,
    `${kind.handled} handled`,
    kind.unanswered === 0 ? '' : `${kind.unanswered} read without an answer`,
    kind.rejected === 0 ? '' : `${kind.rejected} rejected`,
    kind.undelivered === 0 ? '' : `${kind.undelivered} undelivered`,
    kind.withdrawn === 0 ? '' : `${kind.withdrawn} withdrawn`,
    kind.toClaim.median === null ? '' : `claimed in ${seconds(kind.toClaim.median)}`,
    kind.toHandling.median === null ? '' : `handled in ${seconds(kind.toHandling.median)}`,
  ]
    .filter((words) => words !== '')
    .join(', ');

const seconds = (ms: number): string => (ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : formatElapsed(ms));

const usageParts = ({ total, byAgent, byRole, byDay }: UsageCounts): readonly string[] =>
  total.costs.length === 0 && total.tokensIn + total.tokensOut === 0
    ? []
    : [
        part('Used', [['all', '', usageWords(total)]]),
        part(
          'Used by agent',
          byAgent.map((row) => [safe(row.agent), '', usageWords(row)]),
        ),
        part(
          'Used by role',
          byRole.map((row) => [row.role, '', usageWords(row)]),
        ),
        part(
          'Used by day',
          byDay.map((row) => [row.day, '', usageWords(row)]),
        ),
      ];

/** A conversation by a form uses no tokens, so it has none to show. */
const talkRow = ({ skill, conversations, tokensIn, tokensOut, cost }: TalkCounts): Row => [
  safe(skill),
  '',
  [
    count(conversations, 'conversation'),
    ...(cost === null ? [] : [costWord({ amount: cost, currency: 'USD' })]),
    ...(tokensIn + tokensOut === 0
      ? []
      : [`${shortCount(tokensIn)} tokens in`, `${shortCount(tokensOut)} out`]),
  ].join(', '),
];

const usageWords = ({ costs, tokensIn, tokensOut, uncountedReplies }: Usage): string =>
  [
    ...(costs.length === 0 ? [] : [costs.map(costWord).join(' + ')]),
    `${shortCount(tokensIn)} tokens in`,
    `${shortCount(tokensOut)} out`,
    ...(uncountedReplies === 0 ? [] : [`${count(uncountedReplies, 'reply', 'replies')} without a count`]),
  ].join(', ');
