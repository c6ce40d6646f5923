/** A key as people write it. */
export const keyLabel = (key: string): string => labels[key] ?? key;

const labels: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  home: 'Home',
  end: 'End',
  enter: 'Enter',
  escape: 'Esc',
  tab: 'Tab',
  'shift-tab': 'shift-Tab',
  space: 'Space',
};
