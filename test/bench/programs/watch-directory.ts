import { watch } from 'node:fs';

/** The physical base of "a signal is noticed": a process that says each name which the file system says appeared in a directory. */
watch(process.argv[2] ?? '.', (_, name) => {
  process.stdout.write(`saw ${name}\n`);
});
process.stdout.write('ready\n');
