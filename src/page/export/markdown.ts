import { unmergedWords } from '../../../components/changes/changed-files-words.ts';
import { count } from '../../words/local-time.ts';
import { lookSigns } from '../../words/look-signs.ts';
import { sessionCommand } from '../../words/session-command.ts';
import type { PageModel } from '../model/page-model.ts';
import type { PageTask } from '../model/page-task.ts';
import { elapsed, timeOfDay } from '../render/words.ts';

/** Files listed before the rest becomes a number. */
const mostFiles = 20;

/** The session as a comment of a pull request: the outcome, the tasks, the steering, the changes. Text of the session never becomes markup. */
export const renderMarkdown = (model: PageModel): string =>
  [
    `## ${text(model.goal === '' ? `Session ${model.session}` : model.goal)}`,
    '',
    `**${text(model.status)}** · ${[...factsOf(model)].map(text).join(' · ')}`,
    '',
    text(model.now),
    ...part(
      '### Needs you',
      model.needs.map((need) => `- ${text(need.text)}`),
    ),
    ...tasksOf(model.tasks),
    ...part('### Steering', steeringOf(model)),
    ...reviewOf(model),
    ...part('### Changes', changesOf(model)),
    ...part(
      '### Lessons',
      model.lessons.map(({ title, fate }) => `- ${text(title)}, ${fate}`),
    ),
    '',
    `<sub>Session ${model.session}, written by ralph-tui. ${text(removedWords(model))}</sub>`,
    '',
  ].join('\n');

const factsOf = ({ progress, time, used, iteration }: PageModel): readonly string[] =>
  [
    progress.total === 0 ? '' : `${progress.done} of ${count(progress.total, 'task')} done`,
    progress.failed === 0 ? '' : `${progress.failed} failed`,
    time,
    used,
    iteration > 1 ? `iteration ${iteration}` : '',
  ].filter((fact) => fact !== '');

const part = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', heading, '', ...lines];

const tasksOf = (tasks: readonly PageTask[]): readonly string[] =>
  part(
    '### Tasks',
    tasks.length === 0
      ? []
      : [
          '| | Task | Status | Attempts | Time |',
          '| --- | --- | --- | --- | --- |',
          ...tasks.map(
            (task) =>
              `| ${lookSigns[task.look][0]} | ${code(task.id)} ${text(task.title)} | ${text(task.word)} | ${task.attempts.length || ''} | ${task.tookMs === null ? '' : elapsed(task.tookMs)} |`,
          ),
        ],
  );

const steeringOf = ({ steering, at, offset }: PageModel): readonly string[] =>
  steering.map((entry) => {
    const who = entry.from === '' ? '' : ` by ${text(entry.from)}`;
    const to = entry.to === '' ? '' : ` to ${code(entry.to)}`;
    const said = entry.text === '' ? '' : `: “${text(entry.text)}”`;
    return `- ${timeOfDay(entry.at, at, offset)} **${text(entry.kind)}**${to}${who}${said} – ${text(entry.outcome)}`;
  });

const reviewOf = ({ review }: PageModel): readonly string[] =>
  review === null
    ? []
    : part('### Review', [
        `${review.goalsAchieved ? 'Goals achieved.' : 'Goals not achieved.'} ${text(review.assessment)}`,
        ...review.gaps.map((gap) => `- ${text(gap)}`),
      ]);

const changesOf = ({ changes: { files, missing, unmerged }, session }: PageModel): readonly string[] => {
  if (missing !== null) return [text(missing)];
  const left =
    unmerged.length === 0 ? '' : unmergedWords(unmerged, (words) => sessionCommand(session, words));
  const shown = files.slice(0, mostFiles);
  return [
    ...(left === '' ? [] : [`- ${text(left)}`]),
    ...shown.map(({ path, added, removed }) => {
      const counts = added === null && removed === null ? '' : ` +${added ?? 0} −${removed ?? 0}`;
      return `- ${code(path)}${counts}`;
    }),
    ...(files.length > shown.length ? [`- and ${count(files.length - shown.length, 'more file')}`] : []),
  ];
};

const removedWords = ({ removed, structure }: PageModel): string => {
  const words =
    removed.length === 0
      ? 'Redaction found no secrets.'
      : `Removed before writing: ${removed.map(({ kind, count: amount }) => `${kind} × ${amount}`).join(', ')}.`;
  return structure ? `Contains no text from the session. ${words}` : words;
};

/** One line in which nothing is markup: no emphasis, link, image, mention, reference, table cell or HTML. */
const text = (value: string): string =>
  value
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\\`*_{}[\]()#+.!|~>-]/g, (sign) => (harmless.has(sign) ? sign : `\\${sign}`))
    // The start of an item of a list is the start of a line.
    .replace(/^(?:[#+-]|\d+(?=[.)]))/, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/@(?=\w)|\bwww(?=\.)/gi, '$&\u200b')
    .replace(/\bhttps?:\/\//gi, (start) => start.replace(':', ':\u200b'));

/** Signs that are markup only at the start of a line, where they are escaped, or beside others that are escaped. */
const harmless: ReadonlySet<string> = new Set(['.', '-', '+', '(', ')', '!', '#', '{', '}']);

/** A name in code. Its fence is longer than any row of backticks in it. */
const code = (value: string): string => {
  const longest = Math.max(0, ...[...value.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = value.startsWith('`') || value.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${value.replace(/\s+/gu, ' ').replaceAll('|', '\\|')}${pad}${fence}`;
};
