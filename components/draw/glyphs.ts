/** The signs of the screen, one cell each. */
export interface Glyphs {
  readonly rule: string;
  /** The rule over the pane with the focus. */
  readonly focusRule: string;
  readonly bar: string;
  readonly teeDown: string;
  readonly teeUp: string;
  readonly cross: string;
  readonly teeLeft: string;
  readonly teeRight: string;
  readonly corners: readonly [string, string, string, string];
  readonly branch: string;
  readonly lastBranch: string;
  /** The branch on the longest remaining chain. */
  readonly chainBranch: string;
  readonly lastChainBranch: string;
  /** The branch to a part of a split task. The part does not wait for that task. */
  readonly partBranch: string;
  readonly ellipsis: string;
  /** Parts of a bar: done, and still open. */
  readonly full: string;
  readonly open: string;
  /** Behind each line of a command but the last. */
  readonly lineBreak: string;
  readonly cursor: string;
  readonly yes: string;
  readonly no: string;
  readonly run: string;
  readonly chosen: string;
  readonly unchosen: string;
  readonly prompt: string;
  /** Replaces the prompt of an agent's call that runs no command: a read, an edit. */
  readonly call: string;
  /** More is beyond this edge: left, right, above, below. */
  readonly beyond: { readonly [edge in 'left' | 'right' | 'above' | 'below']: string };
  /** Replaces the prompt of a command whose output is folded. */
  readonly folded: string;
  /** By turns at the row of a task whose output arrives. Empty: nothing moves. */
  readonly spinner: readonly string[];
}

export const unicodeGlyphs: Glyphs = {
  rule: '─',
  focusRule: '━',
  bar: '│',
  teeDown: '┬',
  teeUp: '┴',
  cross: '┼',
  teeLeft: '┤',
  teeRight: '├',
  corners: ['╭', '╮', '╰', '╯'],
  branch: '├',
  lastBranch: '└',
  chainBranch: '┝',
  lastChainBranch: '┕',
  partBranch: '┆',
  ellipsis: '…',
  full: '▰',
  open: '▱',
  lineBreak: '↵',
  cursor: '▌',
  yes: '✓',
  no: '✗',
  run: '▸',
  chosen: '◉',
  unchosen: '○',
  prompt: '$',
  call: '·',
  beyond: { left: '‹', right: '›', above: '▴', below: '▾' },
  folded: '›',
  spinner: ['⣷', '⣯', '⣟', '⡿', '⢿', '⣻', '⣽', '⣾'],
};

export const asciiGlyphs: Glyphs = {
  rule: '-',
  focusRule: '=',
  bar: '|',
  teeDown: '+',
  teeUp: '+',
  cross: '+',
  teeLeft: '+',
  teeRight: '+',
  corners: ['+', '+', '+', '+'],
  branch: '|',
  lastBranch: '`',
  chainBranch: '#',
  lastChainBranch: '#',
  partBranch: ':',
  ellipsis: '~',
  full: '#',
  open: '.',
  lineBreak: '\\n',
  cursor: '>',
  yes: '+',
  no: 'x',
  run: '>',
  chosen: '*',
  unchosen: 'o',
  prompt: '$',
  call: '.',
  beyond: { left: '<', right: '>', above: '^', below: 'v' },
  folded: '>',
  spinner: [],
};
