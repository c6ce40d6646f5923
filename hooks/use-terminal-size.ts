import { useWindowSize } from 'ink';
import { useEffect } from 'react';
import type { Store } from '../components/create-store.ts';

/** The terminal's size. The store receives it too, because it counts pages. */
export const useTerminalSize = (store: Store): { readonly columns: number; readonly rows: number } => {
  const { columns, rows } = useWindowSize();
  useEffect(() => store.act({ type: 'resized', columns, rows }), [store, columns, rows]);
  return { columns, rows };
};
