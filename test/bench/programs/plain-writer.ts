import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

/**
 * What a screen costs at the least: bare node keeps the newest lines of the same agent and writes a whole 200 × 50 frame ten times a second and at each key,
 * in one string, with no state, no journal, no log and no layout. `plain-writer.ts RATE`; 0 is no agent.
 */
const rate = Number(process.argv[2]);
const columns = 200;
const rows = 50;
const left = 60;
const kept: string[] = [];
const decoder = new StringDecoder('utf8');
let open = '';
let selected = 0;
let stale = false;

const draw = (): void => {
  stale = false;
  let frame = '\u001b[H';
  for (let row = 0; row < rows; row += 1) {
    const mark = row === selected ? '▌' : ' ';
    const text = (kept[row] ?? '').replaceAll(/\u001b\[[0-9;]*m/g, '').slice(0, columns - left);
    frame += `\u001b[36m${mark}\u001b[0m t${row}`.padEnd(left) + text.padEnd(columns - left);
    if (row < rows - 1) frame += '\r\n';
  }
  process.stdout.write(frame);
};

process.stdin.setRawMode?.(true);
process.stdin.on('data', (keys) => {
  selected = Math.max(0, selected + (keys.includes('j') ? 1 : -1));
  draw();
});
process.on('SIGTERM', () => process.exit(0));
if (rate > 0) {
  const agent = spawn(process.execPath, [join(import.meta.dirname, 'message-printer.ts'), String(rate)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.on('exit', () => agent.kill());
  agent.stdout.on('data', (bytes: Buffer) => {
    const lines = (open + decoder.write(bytes)).split('\n');
    open = lines.pop() ?? '';
    kept.push(...lines);
    kept.splice(0, kept.length - rows);
    stale = true;
  });
}
setInterval(() => {
  if (stale) draw();
}, 100);
draw();
