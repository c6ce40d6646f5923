/** How far a signal has come. The last five are ends; `unanswered`: an agent had the order and said nothing of it. */
export type SignalStage =
  | 'pending'
  | 'claimed'
  | 'delivered'
  | 'handled'
  | 'unanswered'
  | 'rejected'
  | 'undelivered'
  | 'withdrawn';
