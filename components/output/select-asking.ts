import type { Invocation, SessionState } from '../../src/pipeline/state.ts';
import { outputKey } from '../tasks/output-key.ts';
import type { ViewState } from '../view.ts';
import type { OutputLine, OutputLog } from './output-line.ts';
import { selectOutputSubject } from './select-output.ts';

/** The calls in the shown output that wait for a person: their lines by absolute number, and since when (ISO 8601). */
export const selectAsking = (view: ViewState): ReadonlyMap<number, string> => {
  const { session } = view;
  const { key, log } = selectOutputSubject(view);
  const lines = new Map<number, string>();
  if (session === null || log === null) return lines;
  for (const { invocation, texts, since } of openAsks(session)) {
    const asker = session.invocations.get(invocation);
    if (asker === undefined || keyOfInvocation(asker) !== key) continue;
    const no = lineOfCall(log, texts, lines);
    if (no !== null) lines.set(no, since);
  }
  return lines;
};

interface OpenAsk {
  readonly invocation: string;
  /** How the call may be named in the output. */
  readonly texts: readonly string[];
  readonly since: string;
}

const openAsks = ({ permissions, questions }: SessionState): readonly OpenAsk[] => [
  ...[...permissions.values()].map(({ invocation, title, command, asked }) => ({
    invocation,
    texts: command === null ? [title] : [title, command],
    since: asked,
  })),
  ...[...questions.values()].flatMap(({ invocation, answer, asked }) =>
    invocation === null || answer !== null ? [] : [{ invocation, texts: [], since: asked }],
  ),
];

/** The log of an invocation. */
export const keyOfInvocation = ({ id, task, attempt }: Invocation): string =>
  task === null || attempt === null ? id : outputKey(task, attempt);

/** The open call with one of these names, else the last open call. */
export const lineOfCall = (
  { lines, dropped }: OutputLog,
  texts: readonly string[],
  taken: ReadonlyMap<number, string> = new Map(),
): number | null => {
  const open = lines.flatMap((line, index) =>
    line.kind === 'command' && isCall(line) && line.end === null && !taken.has(dropped + index)
      ? [{ no: dropped + index, text: line.text }]
      : [],
  );
  return (open.findLast(({ text }) => texts.includes(text)) ?? open.at(-1))?.no ?? null;
};

const isCall = ({ purpose }: Extract<OutputLine, { kind: 'command' }>): boolean =>
  purpose === 'tool' || purpose === 'execute';
