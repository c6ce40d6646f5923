import { memoise } from '../../src/base/memoise.ts';
import type { MarkdownLook } from '../../src/words/markdown/look.ts';
import type { MarkedRole, MarkedSpan } from '../../src/words/markdown/marked-span.ts';
import type { Tone } from './palettes.ts';
import type { Line } from './span.ts';
import type { Theme } from './theme.ts';

/** The signs of a theme for Markdown: one object a theme, so that laid out text can be kept. */
export const markdownLook = memoise(({ glyphs, options }: Theme): MarkdownLook => {
  const [opens, , closes] = glyphs.corners;
  return {
    ...{ bullet: options.ascii ? '-' : '•', bar: glyphs.bar, rule: glyphs.rule },
    ...{ cross: options.ascii ? '+' : '┼', opens, closes },
    boxes: options.ascii ? ['[x]', '[ ]'] : ['☑', '☐'],
    ticks: options.colours === 'none',
  };
});

const tones: { readonly [role in MarkedRole]: Tone } = {
  heading: 'accent',
  code: 'now',
  link: 'accent',
  address: 'secondary',
  quote: 'text',
  marker: 'accent',
  frame: 'furniture',
  added: 'done',
  removed: 'failed',
};

/** A row of Markdown in the tones of the theme. */
export const markdownLine = (spans: readonly MarkedSpan[]): Line =>
  spans.map(({ text, role, strong, emphasis, struck }) => {
    const sgr = [emphasis ? '3' : '', role === 'link' ? '4' : '', struck ? '9' : ''].filter(
      (code) => code !== '',
    );
    return {
      text,
      tone: role === undefined ? 'text' : tones[role],
      ...(strong === true ? { bold: true } : {}),
      ...(sgr.length === 0 ? {} : { sgr: sgr.join(';') }),
    };
  });
