import { changedParts, diffLines } from '../../base/match/line-diff.ts';
import { safe, safeBlock } from '../../base/safe.ts';
import type { Question } from '../../session/forms/question.ts';
import type { Talk } from '../../skills/talk/talk.ts';
import type { TalkIo } from '../../skills/talk/talk-io.ts';
import { askInLines, questionLines } from '../ask-in-lines.ts';
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
  /** The lines of a growing reply that were printed. */
  let grown = '';
  const printRest = (words: string): void => {
    const isRest = grown !== '' && words.startsWith(grown);
    const rest = isRest ? afterLine(words.slice(grown.length)) : `\n${words}`;
    if (rest.trim() !== '') print(safeBlock(rest));
    grown = '';
  };
  /** Prints the lines that are whole by now. */
  const printGrown = (words: string): void => {
    const whole = words.slice(0, Math.max(0, words.lastIndexOf('\n'))).trimEnd();
    if (whole.length <= grown.length) return;
    print(safeBlock(grown === '' ? `\n${whole}` : afterLine(whole.slice(grown.length))));
    grown = whole;
  };
  const io: TalkIo = {
    left: leaving.signal,
    show: (talk) => {
      for (const turn of talk.turns.slice(shown))
        if (turn.type === 'tool') print(safe(`· ${turn.title}`));
        else if (turn.type === 'asked') continue;
        else if (turn.by === 'agent') printRest(turn.text);
        else if (turn.by === 'program' && talk.mode === 'agent') print(safeBlock(turn.text));
      shown = talk.turns.length;
      if (talk.growing !== null) printGrown(talk.growing.words);
      if (talk.mode === 'agent' && talk.document !== document) {
        const isNext = document !== '' && typeOf(document) === typeOf(talk.document);
        const lines = documentLines(talk, isNext ? document : undefined);
        if (lines.length > 0) print(['', ...lines].map(safe).join('\n'));
        document = talk.document;
      }
    },
    ask: async (question, talk) => {
      if (leaving.signal.aborted) return null;
      return askInLines(cli, print, question, { lines: linesOf(question, talk) });
    },
  };
  return { io, close };
};

/** The text after the end of the line that was printed last. */
const afterLine = (text: string): string => text.replace(/^[ \t]*\n/, '');

/** An open question as lines, below what it approves. */
export const linesOf = (question: Question, talk: Talk): readonly string[] => [
  ...(question.kind === 'approve' ? ['', ...documentLines(talk)] : []),
  ...questionLines(question),
];

/** The type of a document in its front matter. An issue is not compared with an idea. */
const typeOf = (text: string): string => /^type:[ \t]*(\S+)/m.exec(text)?.[1] ?? '';

/** The document, or what would change in the one that is there. */
const documentLines = (
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
