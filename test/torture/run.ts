import { parseArgs } from 'node:util';
import { killProgram } from './kill-program.ts';
import { storm } from './mailbox-storm.ts';

/** `npm run torture [-- --signals 20000 --producers 4 --consumers 4 --kills 50] [-- storm|kill]`: the long forms, each with its counts. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    signals: { type: 'string', default: '20000' },
    producers: { type: 'string', default: '4' },
    consumers: { type: 'string', default: '4' },
    kills: { type: 'string', default: '50' },
  },
});
const wanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
const tell = (name: string, result: { readonly problems: readonly string[] }): void => {
  console.log(`${name} ${JSON.stringify(result)}`);
  if (result.problems.length > 0) process.exitCode = 1;
};

if (wanted('storm'))
  tell(
    'mailbox storm:',
    await storm({
      signals: Number(values.signals),
      producers: Number(values.producers),
      consumers: Number(values.consumers),
    }),
  );
if (wanted('kill')) tell('kill -9 of the program:', await killProgram(Number(values.kills)));
