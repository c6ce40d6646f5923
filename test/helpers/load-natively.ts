import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const drawFrame = new URL('../../src/cli/terminal/draw-frame.ts', import.meta.url).href;
const standIn = 'drawn-by-us:';
const watches = process.env['VITEST_MODE'] === 'WATCH';

/** Node has no JSX. The packager is loaded by who needs it. */
const withoutJsx = (file: string): string => {
  const { transformSync } = require('rolldown/utils') as typeof import('rolldown/utils');
  // With NODE_ENV production React has no development runtime for JSX.
  const { code, map, errors } = transformSync(file, readFileSync(file, 'utf8'), {
    jsx: { runtime: 'automatic', development: false },
    sourcemap: true,
  });
  if (errors[0]) throw errors[0];
  const place = Buffer.from(JSON.stringify(map)).toString('base64');
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${place}`;
};

/**
 * Node itself loads the sources and the tests: what vite makes of a module asks a getter each time an imported name is used, which took a fifth of the
 * processor time of the tests, and is made anew in each run.
 *
 * Ink draws frames with ours in the tests too, as in the built program (`.rolldown.config.ts`, stand-ins): its own took half of the processor
 * time of the tests of components. What a test looks at is compared with Ink's own all the same (`screen.tsx`).
 */
registerHooks({
  resolve: (specifier, context, next) => {
    const { parentURL = '' } = context;
    if (specifier === './renderer.js' && parentURL.endsWith('/ink/build/ink.js'))
      return { url: standIn, shortCircuit: true };
    // vitest would tell its main process of each, which only a watch needs, and give a test file another name in each run, which the cache does not know.
    if (watches) return next(specifier, context);
    if (parentURL.startsWith('file:') && /^\.{1,2}\/.*\.tsx?$/.test(specifier))
      return { url: new URL(specifier, parentURL).href, shortCircuit: true };
    return next(specifier.replace(/%3Fvitest=\d+$/, ''), context);
  },
  load: (url, context, next) => {
    const source =
      url === standIn
        ? `export { drawFrame as default } from ${JSON.stringify(drawFrame)};`
        : /\.tsx(?:\?|$)/.test(url) && withoutJsx(fileURLToPath(url));
    return source === false ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});
