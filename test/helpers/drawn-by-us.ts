import { readFileSync } from 'node:fs';
import type { Plugin } from 'vitest/config';

const drawFrame = new URL('../../src/cli/terminal/draw-frame.ts', import.meta.url).pathname;
const standIn = '\0drawn-by-us';

/**
 * Ink draws frames with ours in the tests too, as in the built program (`.rolldown.config.ts`, stand-ins): its own took half of the processor
 * time of the tests of components. What a test looks at is compared with Ink's own all the same (`screen.tsx`).
 */
export const drawnByUs: Plugin = {
  name: 'drawn-by-us',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === './renderer.js' && importer?.endsWith('/ink/build/ink.js') ? standIn : null,
  load: (id) => {
    if (id === standIn) return `export { drawFrame as default } from ${JSON.stringify(drawFrame)};`;
    // Their maps name sources that the packages do not have, and each would be warned of.
    return /\/node_modules\/ink(?:-testing-library|-text-input)?\/.*\.js$/.test(id)
      ? readFileSync(id, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
      : null;
  },
};

/** Packages that have to be loaded by vitest for that, and see one Ink. */
export const drawingPackages = [/\/node_modules\/ink(?:-testing-library|-text-input)?\//];
