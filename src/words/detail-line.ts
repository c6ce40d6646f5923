/** A line of the Details tab before it is wrapped. */
export interface DetailLine {
  /** `choice`: the heading of a list of choices made by keys. */
  readonly kind:
    | 'title'
    | 'heading'
    | 'choice'
    | 'sub'
    | 'text'
    | 'item'
    | 'good'
    | 'bad'
    | 'asks'
    | 'code'
    | 'chosen';
  readonly text: string;
}
