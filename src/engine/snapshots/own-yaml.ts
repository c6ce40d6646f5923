/**
 * Reads and renders one of our YAML files. A text that we wrote is rendered again instead of
 * parsed and edited: that costs a tenth, and happens several times for every task.
 */
interface OwnYaml<T> {
  /** The model of `text` when we rendered it last; else `null`. */
  known(text: string | null): T | null;
  /** The new text: an edit of `current` that keeps people's additions, or `current` itself when it already says the same. */
  render(current: string | null, model: T): string;
}

interface OwnYamlPorts<T> {
  readonly format: (model: T) => string;
  readonly edit: (text: string, model: T) => string;
  /** True for a text that cannot be edited; it is replaced. */
  readonly unreadable: (text: string) => boolean;
  /** The text that we would write for the contents of `text`. When both are equal, `text` holds nothing from others. */
  readonly reprint: (text: string) => string | null;
  /** The model as text, without counters and dates that change with every write. */
  readonly gist: (model: T) => string;
}

interface Rendered<T> {
  readonly text: string;
  readonly model: T;
  readonly gist: string;
  /** True when the text holds nothing beyond the output of `format`. */
  readonly plain: boolean;
}

export const createOwnYaml = <T>({
  format,
  edit,
  unreadable,
  reprint,
  gist,
}: OwnYamlPorts<T>): OwnYaml<T> => {
  let last: Rendered<T> | null = null;

  const remember = (model: T, text: string, plain: boolean): string => {
    last = { text, model, gist: gist(model), plain };
    return text;
  };

  return {
    known: (text) => (last !== null && text === last.text ? last.model : null),
    render: (current, model) => {
      const ours = last !== null && current === last.text ? last : null;
      if (ours && ours.gist === gist(model)) return ours.text;
      if (current === null || ours?.plain || (!ours && (unreadable(current) || reprint(current) === current)))
        return remember(model, format(model), true);
      const text = edit(current, model);
      return remember(model, text, text === format(model));
    },
  };
};
