import { type DOMElement, measureElement } from 'ink';
import { createContext, useContext, useEffect, useRef } from 'react';
import type { Target } from '../components/keys/mouse.ts';

/** The mouse targets on the screen. Computed only on a click, from the positions that Ink measures then. */
export interface HitMap {
  readonly add: (region: Region) => () => void;
  /** The target at a cell of the screen. */
  readonly at: (column: number, row: number) => Target | null;
}

interface Region {
  readonly box: () => DOMElement | null;
  /** The target at a cell of this box. */
  readonly target: (column: number, row: number) => Target | null;
  readonly level: Level;
}

/** Lines are within panes. While something is over the panes, nothing below it receives the mouse. */
export type Level = 'pane' | 'lines' | 'over';

export const createHitMap = (): HitMap => {
  const regions = new Set<Region>();
  return {
    add: (region) => {
      regions.add(region);
      return () => {
        regions.delete(region);
      };
    },
    at: (column, row) => {
      const all = [...regions];
      const over = all.filter(({ level }) => level === 'over');
      const ordered = [
        ...all.filter(({ level }) => level === 'lines'),
        ...all.filter(({ level }) => level === 'pane'),
      ];
      for (const { box, target } of over.length > 0 ? over : ordered) {
        const node = box();
        if (node === null) continue;
        const { x, y, width, height } = measureElement(node);
        if (column < x || row < y || column >= x + width || row >= y + height) continue;
        const found = target(column - x, row - y);
        if (found !== null) return found;
      }
      return null;
    },
  };
};

/** Components register their targets here. Without an `App` around them they register nothing. */
export const HitContext = createContext<HitMap>({ add: () => () => {}, at: () => null });

/** Makes a box a mouse target. Returns the ref for the box. */
export const useRegion = (target: Region['target'], level: Level) => {
  const hits = useContext(HitContext);
  const box = useRef<DOMElement>(null);
  const latest = useRef(target);
  latest.current = target;
  useEffect(
    () => hits.add({ box: () => box.current, target: (column, row) => latest.current(column, row), level }),
    [hits, level],
  );
  return box;
};
