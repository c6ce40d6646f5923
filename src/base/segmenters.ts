/** The part of a segmenter that is used. */
type Segmenter = Pick<Intl.Segmenter, 'segment'>;

/** Made when it is first needed: for the first one the runtime reads its tables of all scripts, ten milliseconds of a start that shows plain letters. */
const late = (granularity: 'grapheme' | 'word'): Segmenter => {
  let made: Segmenter | null = null;
  return {
    segment: (text) => {
      made ??= new Intl.Segmenter('und', { granularity });
      return made.segment(text);
    },
  };
};

/** What a person sees as characters (Unicode Standard Annex 29). */
export const graphemes = late('grapheme');

/** Words, by the same annex. */
export const words = late('word');
