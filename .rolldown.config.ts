import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';

// Standard output belongs to the program that is built and then run (`npm run -s ralph-tui -- status --json`), and no log level keeps the bundler's
// list of files out of it. Errors go to standard error and are told as ever.
process.stdout.write = () => true;

const hour = 3_600_000;

/**
 * A second terminal builds while a session of the first one runs (`npm run ralph-tui -- status`): what that one may still import
 * stays for a while. Chunks are named after what they hold, so old and new ones do not meet. And a linked command can be executed after each build.
 */
const tidy: Plugin = {
  name: 'tidy',
  writeBundle: async ({ dir = 'dist' }, bundle) => {
    await chmod(join(dir, 'ralph-tui.js'), 0o755);
    for (const name of await readdir(dir)) {
      const file = join(dir, name);
      if (name in bundle) continue;
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > hour) await rm(file, { force: true });
    }
  },
};

/**
 * Frames are drawn by `src/cli/draw-frame.ts` instead of Ink's own renderer, which has no seam for that but its import. An Ink that has moved it is an error:
 * the program would work, at three times the cost a frame.
 */
const ownFrames = (): Plugin => {
  const drawFrame = JSON.stringify(new URL('./src/cli/draw-frame.ts', import.meta.url).pathname);
  let found = false;
  return {
    name: 'own-frames',
    resolveId: (source, importer) => {
      if (source !== './renderer.js' || !importer?.endsWith('/ink/build/ink.js')) return null;
      found = true;
      return 'own-frames';
    },
    load: (id) => (id === 'own-frames' ? `export { drawFrame as default } from ${drawFrame};` : null),
    buildEnd: (error) => {
      if (!error && !found) throw new Error('ink/build/ink.js no longer imports ./renderer.js');
    },
  };
};

/**
 * One program in `dist/`: a tiny entry that checks the Node version and turns the compile cache on, and the chunks it
 * imports on demand, so that `status` never loads React.
 */
export default defineConfig({
  input: { 'ralph-tui': 'src/main.ts' },
  platform: 'node',
  plugins: [tidy, ownFrames()],
  external: [/^node:/, 'fsevents'],
  resolve: {
    alias: { 'react-devtools-core': new URL('./src/cli/no-devtools.ts', import.meta.url).pathname },
  },
  transform: { define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' } },
  output: {
    dir: 'dist',
    format: 'esm',
    minify: true,
    banner: '#!/usr/bin/env node',
    chunkFileNames: '[name]-[hash].js',
  },
});
