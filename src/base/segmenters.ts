/** The part of `Intl.Segmenter` that is used here. */
type Segmenter = Pick<Intl.Segmenter, 'segment'>;

/** Created on first use: the runtime then loads its tables of all scripts, ten milliseconds that a start with plain ASCII does not need. */
const late = (granularity: 'grapheme' | 'word'): Segmenter => {
  let made: Segmenter | null = null;
  return {
    segment: (text) => {
      made ??= new Intl.Segmenter('und', { granularity });
      return made.segment(text);
    },
  };
};

/** User-perceived characters (Unicode Standard Annex 29). */
export const graphemes = late('grapheme');

/** Words, by the same annex. */
export const words = late('word');
