import { safe, safeBlock } from '../../base/safe.ts';
import { changedParts, diffLines } from '../../skills/documents/line-diff.ts';
import { readAnswer, type TalkQuestion } from '../../skills/talk/question.ts';
import type { Talk } from '../../skills/talk/talk.ts';
import type { TalkIo } from '../../skills/talk/talk-io.ts';
import type { Cli } from '../cli.ts';
import { endSignals, onProcessSignals } from '../process-signals.ts';

/** A conversation line by line. `print` takes what is said: stdout, or stderr where stdout holds JSON. An answer `q` or the end of the input leaves. `close` lets the signals of the system end the program again. */
export const talkInLines = (
  cli: Cli,
  print: (text: string) => void,
): { readonly io: TalkIo; readonly close: () => void } => {
  const leaving = new AbortController();
  // Ctrl-c at a question is seen by the question itself.
  const close = onProcessSignals(endSignals, () => leaving.abort());
  let shown = 0;
  let document = '';
  const io: TalkIo = {
    left: leaving.signal,
    show: (talk) => {
      for (const turn of talk.turns.slice(shown))
        if (turn.type === 'tool') print(safe(`· ${turn.title}`));
        else if (turn.type === 'asked') continue;
        else if (turn.by === 'agent') print(safeBlock(`\n${turn.text}`));
        else if (turn.by === 'program' && talk.mode === 'agent') print(safeBlock(turn.text));
      shown = talk.turns.length;
      if (talk.mode === 'agent' && talk.document !== document) {
        const lines = documentLines(talk, document === '' ? undefined : document);
        if (lines.length > 0) print(['', ...lines].map(safe).join('\n'));
        document = talk.document;
      }
    },
    ask: async (question, talk) => {
      if (leaving.signal.aborted) return null;
      for (let lines = questionLines(question, talk); ; ) {
        const typed = await readLines(cli, print, question, lines);
        if (typed === null) return null;
        const read = readAnswer(question, typed);
        if ('answer' in read) return read.answer;
        lines = [read.wrong];
      }
    },
  };
  return { io, close };
};

const questionLines = (question: TalkQuestion, talk: Talk): readonly string[] => [
  '',
  ...(question.kind === 'approve' ? [...documentLines(talk), ''] : []),
  question.text,
  ...(question.help === '' ? [] : question.help.split('\n')),
  ...(question.kind === 'approve' ? [] : question.options).flatMap(({ label, detail }, at) => [
    `${at + 1}  ${label}`,
    ...(detail === '' ? [] : [`   ${detail}`]),
  ]),
];

/** The document, or what would change in the one that is there. */
export const documentLines = (
  talk: Talk,
  before = talk.about?.edits === true ? talk.about.text : '',
): readonly string[] => {
  if (before === '')
    return talk.document
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`);
  return changedParts(diffLines(before, talk.document)).map((line) =>
    line === null ? '  …' : `${{ same: ' ', old: '-', new: '+' }[line.kind]} ${line.text}`,
  );
};

/** One line; for `lines` all up to an empty one. */
const readLines = async (
  cli: Cli,
  print: (text: string) => void,
  question: TalkQuestion,
  lines: readonly string[],
): Promise<string | null> => {
  const typed: string[] = [];
  for (;;) {
    const answer = await nextLine(cli, () => {
      if (typed.length === 0) for (const line of lines) print(safe(line));
      cli.stderr.write(typed.length === 0 ? `${promptOf(question)} ` : '… ');
    });
    if (answer === null || (typed.length === 0 && /^\s*q(?:uit)?\s*$/i.test(answer))) return null;
    if (question.kind !== 'lines' || answer.trim() === '') return [...typed, answer].join('\n');
    typed.push(answer);
  }
};

/**
 * The next line of the input, or `null` at its end. At a terminal only what is typed after the question counts; a pipe is read line by line, because
 * its writer cannot see the questions.
 */
const nextLine = (cli: Cli, show: () => void): Promise<string | null> => {
  if (cli.stdin.isTTY === true) return cli.typed.answer(show);
  show();
  return new Promise((resolve) => {
    const settle = (line: string | null): void => {
      release();
      resolve(line);
    };
    const release = cli.typed.hold({ line: settle, ended: () => settle(null) });
  });
};

const promptOf = ({ kind, offered, optional, options }: TalkQuestion): string => {
  const enter = offered !== '' ? safe(offered.split('\n')[0] ?? '') : '';
  if (kind === 'approve') return enter === 'yes' ? '[Y/n]' : '[y/n]';
  const empty = enter !== '' ? `empty takes ${labelOf(options, enter)}` : optional ? 'empty skips' : '';
  const how = { words: '', lines: 'an empty line ends', choice: 'a number', choices: 'numbers' }[kind];
  const hint = [how, empty].filter((each) => each !== '').join(', ');
  return hint === '' ? '>' : `(${hint})`;
};

const labelOf = (options: TalkQuestion['options'], id: string): string =>
  `"${safe(options.find((option) => option.id === id)?.label ?? id)}"`;
