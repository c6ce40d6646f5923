import { defineConfig } from 'rolldown';

/**
 * One program in `dist/`: a tiny entry that checks the Node version and turns the compile cache on, and the chunks it
 * imports on demand, so that `status` never loads React.
 */
export default defineConfig({
  input: { 'ralph-tui': 'src/main.ts' },
  platform: 'node',
  external: [/^node:/, 'fsevents'],
  resolve: {
    alias: { 'react-devtools-core': new URL('./src/cli/no-devtools.ts', import.meta.url).pathname },
  },
  transform: { define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' } },
  output: {
    dir: 'dist',
    format: 'esm',
    minify: true,
    cleanDir: true,
    banner: '#!/usr/bin/env node',
    chunkFileNames: '[name]-[hash].js',
  },
});
