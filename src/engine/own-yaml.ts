/**
 * What stands in a YAML file of ours. A text that we wrote ourselves need not be read back and edited: writing it anew from what it shall say costs
 * a tenth, and this happens several times for every task.
 */
export interface OwnYaml<T> {
  /** What `text` says, when it is what we rendered last; else `null`. */
  known(text: string | null): T | null;
  /** The new text: an edit of `current`, so that what people added stays, and `current` itself when it says the same already. */
  render(current: string | null, model: T): string;
}

export interface OwnYamlPorts<T> {
  readonly format: (model: T) => string;
  readonly edit: (text: string, model: T) => string;
  /** A text that cannot be edited is written anew. */
  readonly unreadable: (text: string) => boolean;
  /** What we would have written to say what `text` says; a text that is just that holds nothing of anybody else. */
  readonly reprint: (text: string) => string | null;
  /** All that a model says but for counters and dates that change with every write. */
  readonly gist: (model: T) => string;
}

interface Rendered<T> {
  readonly text: string;
  readonly model: T;
  readonly gist: string;
  /** It holds nothing that `format` would not write. */
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
