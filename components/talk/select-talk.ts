import { changedParts, type DiffLine, diffLines } from '../../src/base/match/line-diff.ts';
import { safe, safeBlock } from '../../src/base/safe.ts';
import type { Talk, Turn } from '../../src/skills/talk/talk.ts';
import type { TalkOverlay } from './talk-view.ts';

/** A part of the talk as it is drawn: Markdown of somebody, or a line about tool calls. */
export type TalkPart =
  | { readonly kind: 'person' | 'agent' | 'program' | 'asked'; readonly text: string }
  | { readonly kind: 'tools'; readonly text: string; readonly failed: boolean };

/** The turns of a talk, with tool calls that follow one another folded into one line. */
export const talkParts = ({
  talk,
  unfolded,
}: Pick<TalkOverlay, 'talk' | 'unfolded'>): readonly TalkPart[] => {
  const parts: TalkPart[] = [];
  let calls: Extract<Turn, { type: 'tool' }>[] = [];
  const fold = (): void => {
    const last = calls.at(-1);
    if (last === undefined) return;
    const more =
      calls.length === 1 ? '' : ` and ${calls.length - 1} more call${calls.length === 2 ? '' : 's'}`;
    parts.push({
      kind: 'tools',
      text: `${safe(last.title)}${more}`,
      failed: calls.some(({ status }) => status === 'failed' || status === 'refused'),
    });
    calls = [];
  };
  for (const turn of talk.turns) {
    if (turn.type === 'tool') {
      calls.push(turn);
      if (unfolded) fold();
      continue;
    }
    fold();
    parts.push({ kind: turn.type === 'asked' ? 'asked' : turn.by, text: safeBlock(turn.text) });
  }
  fold();
  if (talk.growing !== null && talk.growing.words.trim() !== '')
    parts.push({ kind: 'agent', text: safeBlock(talk.growing.words) });
  return parts;
};

/** The document without its front matter, and the front matter in one line each. One that an agent writes now is shown as far as it came. */
export const talkDocument = ({
  document,
  growing,
}: Talk): { readonly matter: readonly string[]; readonly body: string } => {
  const text = safeBlock(growing?.document ?? document);
  const [, matter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  return {
    matter: matter === '' ? [] : matter.split('\n'),
    body: matter === '' ? text : text.slice(matter.length + 9),
  };
};

/** `1,200 in, 300 out · $0.02`, or '' before anything was spent. */
export const talkSpent = ({ spent: { input, output, cost } }: Talk): string => {
  if (input + output === 0 && cost === null) return '';
  const count = (tokens: number): string => tokens.toLocaleString('en-US');
  return `${count(input)} in, ${count(output)} out${cost === null ? '' : ` · $${cost.toFixed(2)}`}`;
};

export type TalkChange = DiffLine | null;

/** What the document would change in the file that the conversation edits, while that is not kept; `null` where there is nothing to compare, or not yet. */
export const talkChanges = ({ about, document, growing }: Talk): readonly TalkChange[] | null =>
  about?.edits !== true || about.text === document || (growing?.document ?? null) !== null
    ? null
    : changedParts(diffLines(safeBlock(about.text), safeBlock(document)));
