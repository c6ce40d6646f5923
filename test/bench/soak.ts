import { below } from './limits.ts';
import { inLiveSession, printerCommand } from './live-session.ts';
import { median, type Row } from './measure.ts';
import { watchLoad } from './process-load.ts';
import { plainWriter } from './rows/screen.ts';

const rate = 2_000;

/** The screen under 2,000 messages a second for minutes: its memory is flat once it is warm. Prints a line every ten seconds. */
export const soak = async (minutes: number): Promise<readonly Row[]> => {
  const bare = await plainWriter(rate);
  return inLiveSession(printerCommand(rate), 12, async (terminal) => {
    const sizes: number[] = [];
    const shares: number[] = [];
    for (let slice = 0; slice < minutes * 6; slice += 1) {
      const load = await watchLoad(terminal.pid, 10);
      sizes.push(load.rss);
      shares.push(load.cpu);
      console.error(
        `${String((slice + 1) * 10).padStart(4)} s  ${load.rss.toFixed(1)} MB  ${load.cpu.toFixed(1)} % of a core`,
      );
    }
    // Warm after a tenth of the time, at least ten seconds; then the first fifth of the rest against the last one.
    const warm = sizes.slice(Math.max(1, Math.ceil(sizes.length / 10)));
    const part = Math.max(1, Math.floor(warm.length / 5));
    const [first, last] = [median(warm.slice(0, part)), median(warm.slice(-part))];
    return [
      {
        name: `soak, ${minutes} min at ${rate} messages/s: RSS at the end`,
        value: last,
        unit: 'MB',
        base: { name: 'once warm', value: first },
        target: 'within 10 %, < 200 MB',
        ok: last <= first * 1.1 && Math.max(...sizes) < 200,
      },
      {
        name: 'soak: CPU',
        value: median(shares),
        unit: '%',
        base: { name: 'plain writer', value: bare.load.cpu },
        ...below(median(shares), 25, '% of a core'),
      },
    ];
  });
};
