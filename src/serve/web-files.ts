/** What browsers load beside the pages, by its name there, and where it is in a checkout: our own files, and those of packages as these publish them. */
export const webFiles: Readonly<Record<string, string>> = {
  'htmx.js': './node_modules/htmx.org/dist/htmx.min.js',
  'sse.js': './node_modules/htmx-ext-sse/dist/sse.min.js',
  'live.js': './src/serve/web/live.js',
  'push.js': './src/serve/web/push.js',
  'icon.svg': './src/serve/web/icon.svg',
};
