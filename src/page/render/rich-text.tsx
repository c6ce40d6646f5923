/** @jsxImportSource hono/jsx */
import type { DetailLine } from '../../words/detail-line.ts';

/** Lines of a document: neighbouring items become one list, neighbouring code one block. */
export const RichText = ({ lines }: { readonly lines: readonly DetailLine[] }) => (
  <div class="rich">
    {groups(lines).map(({ kind, texts }) => {
      if (kind === 'item')
        return (
          <ul>
            {texts.map(({ text, tone }) => (
              <li class={tone}>{text.trimStart()}</li>
            ))}
          </ul>
        );
      if (kind === 'code')
        return (
          <pre tabindex={0}>
            <code>{texts.map(({ text }) => text).join('\n')}</code>
          </pre>
        );
      return texts.map(({ text }) => (kind === 'head' ? <p class="head">{text}</p> : <p>{text}</p>));
    })}
  </div>
);

/** Plain lines as paragraphs, blank ones left out. */
export const Paragraphs = ({ lines }: { readonly lines: readonly string[] }) => (
  <div class="rich">
    {lines
      .filter((line) => line.trim() !== '')
      .map((line) => (
        <p>{line}</p>
      ))}
  </div>
);

interface Group {
  readonly kind: 'item' | 'code' | 'head' | 'text';
  readonly texts: { readonly text: string; readonly tone: string }[];
}

const groups = (lines: readonly DetailLine[]): readonly Group[] => {
  const all: Group[] = [];
  for (const line of lines) {
    const kind = kindOf(line.kind);
    const entry = { text: line.text, tone: line.kind === 'good' || line.kind === 'bad' ? line.kind : '' };
    const last = all.at(-1);
    if (last?.kind === kind) last.texts.push(entry);
    else all.push({ kind, texts: [entry] });
  }
  return all;
};

const kindOf = (kind: DetailLine['kind']): Group['kind'] => {
  if (kind === 'item' || kind === 'good' || kind === 'bad' || kind === 'asks' || kind === 'chosen')
    return 'item';
  if (kind === 'code') return 'code';
  return kind === 'text' ? 'text' : 'head';
};
