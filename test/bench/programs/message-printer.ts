/**
 * An agent that talks: `RATE` messages a second for ever, one a line, as long and as coloured as those of a real one. Behind its time it catches up, so that
 * a second holds as many messages on a busy machine.
 */
const rate = Number(process.argv[2]);
const start = performance.now();
let printed = 0;

const words = [
  'Read components/create-store.ts and found the listener that is told twice',
  '\u001b[32m✓\u001b[39m the store tells its listeners once a batch \u001b[2m(4 ms)\u001b[22m',
  'Edited src/engine/loop.ts: 14 lines added, 3 removed',
  '\u001b[33mwarning\u001b[39m: the variable `left` is assigned but never used',
];

setInterval(() => {
  const due = Math.floor(((performance.now() - start) * rate) / 1_000);
  let text = '';
  for (; printed < due; printed += 1) text += `message ${printed + 1}: ${words[printed % words.length]}\n`;
  if (text !== '') process.stdout.write(text);
}, 10);
