import { safe } from '../base/safe.ts';
import { type Form, resultText } from '../session/forms/form.ts';
import { type Answers, ask, type Question, readAnswer } from '../session/forms/question.ts';
import type { Cli } from './cli.ts';

/**
 * Asks the questions of a form line by line, and at the end whether its result holds. An answer `q` or the end of the input leaves: `null`. A question
 * that is skipped has no answer.
 */
export const fillInLines = async (cli: Cli, form: Form, given: Answers = {}): Promise<Answers | null> => {
  let answers = given;
  // Each answer may decide which questions follow.
  for (let step = 0; ; step += 1) {
    const question = form.questions(answers)[step];
    if (question === undefined) break;
    const offered = answers[question.id] ?? question.offered;
    const answer = await askInLines(cli, cli.print, { ...question, offered }, form);
    if (answer === null) return null;
    if (answer !== '' || offered !== '') answers = { ...answers, [question.id]: answer };
  }
  const result = form.result(answers);
  if (result === null) return answers;
  const last = ask('confirm', 'approve', form.confirm, { offered: 'yes', about: result.map(resultText) });
  return (await askInLines(cli, cli.print, last)) === 'yes' ? answers : null;
};

/**
 * Asks one question until the answer is one; `null` when the person leaves. `print` takes the lines of the question: stdout, or stderr where stdout holds
 * JSON.
 */
export const askInLines = async (
  cli: Cli,
  print: (text: string) => void,
  asked: Question,
  {
    lines,
    problem = () => null,
  }: { readonly lines?: readonly string[]; readonly problem?: Form['problem'] } = {},
): Promise<string | null> => {
  const folded = { ...asked, options: asked.options.filter(({ severity }) => severity !== 'low') };
  let question = folded;
  for (let shown = lines ?? questionLines(question); ; ) {
    const low = asked.options.length - question.options.length;
    const typed = await readLines(cli, print, question, shown, promptOf(question, low));
    if (typed === null) return null;
    if (low > 0 && /^l(?:ow)?$/i.test(typed.trim())) {
      question = {
        ...asked,
        options: [...folded.options, ...asked.options.filter(({ severity }) => severity === 'low')],
      };
      shown = questionLines(question);
      continue;
    }
    // What is offered may be folded.
    const read = readAnswer(typed.trim() === '' ? asked : question, typed);
    if ('wrong' in read) shown = [read.wrong];
    else {
      const why = problem(question.id, read.answer);
      if (why === null) return read.answer;
      shown = [why];
    }
  }
};

/** A question as lines. What is offered of several is marked. */
export const questionLines = ({
  kind,
  text,
  about = [],
  help,
  options,
  offered,
}: Question): readonly string[] => {
  const ticked = kind === 'choices' ? offered.split('\n') : [];
  const width = String(options.length).length;
  return [
    '',
    ...(kind === 'approve' ? about : []),
    text,
    ...(kind === 'approve' ? [] : about),
    ...(help === '' ? [] : help.split('\n')),
    ...(kind === 'approve' ? [] : options).flatMap(({ id, label, detail }, at) => [
      `${String(at + 1).padStart(width)}  ${label}${ticked.includes(id) ? '  (chosen)' : ''}`,
      ...(detail === '' ? [] : [`${' '.repeat(width)}  ${detail}`]),
    ]),
  ];
};

/** One line; for `lines` all up to an empty one. */
const readLines = async (
  cli: Cli,
  print: (text: string) => void,
  question: Question,
  lines: readonly string[],
  prompt: string,
): Promise<string | null> => {
  const typed: string[] = [];
  for (;;) {
    const answer = await nextLine(cli, () => {
      if (typed.length === 0) for (const line of lines) print(safe(line));
      cli.stderr.write(typed.length === 0 ? `${prompt} ` : '… ');
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

/** `low`: how many findings of low severity are folded. */
const promptOf = ({ kind, offered, optional, options, skipped }: Question, low: number): string => {
  const [first = '', ...others] = offered === '' ? [] : offered.split('\n').map(safe);
  if (kind === 'approve') return first === 'yes' ? '[Y/n]' : '[y/n]';
  const taken =
    others.length > 0 ? 'these' : `"${safe(options.find(({ id }) => id === first)?.label ?? first)}"`;
  const empty = first !== '' ? `empty takes ${taken}` : optional ? `empty ${skipped ?? 'skips'}` : '';
  const none = optional && first !== '' ? '- for none' : '';
  const how = { words: '', lines: 'an empty line ends the list', choice: 'a number', choices: 'numbers' }[
    kind
  ];
  const more = low === 0 ? '' : `"low" shows ${low} more low-severity findings`;
  const hint = [how, empty, none, more].filter((each) => each !== '').join(', ');
  return hint === '' ? '>' : `(${hint})`;
};
