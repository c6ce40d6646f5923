/** A line of the Details tab before it is wrapped. */
export interface DetailLine {
  readonly kind: 'title' | 'heading' | 'sub' | 'text' | 'item' | 'good' | 'bad' | 'code' | 'chosen';
  readonly text: string;
}
