import { foreignHello } from '../link/link.ts';
import { createLinkKey, sealsOf } from './keys.io.ts';
import { everyConnection } from './row-writer.ts';
import { claimText, type RunnerState } from './runner-state.io.ts';
import { channelOf, poolSchema } from './schema.ts';

/** Tells the hosts of a process that was killed that its work is gone: their links end at once instead of waiting for it. */
export const answerEarlier = async (state: RunnerState): Promise<void> => {
  const { ports, gate, process } = state;
  const rows = await ports.database.query(
    `update ${poolSchema}.links set ended_at = now() where runner = $1 and process <> $2 and ended_at is null and claimed_at is not null returning signed`,
    [ports.runner, process],
  );
  for (const { signed } of rows) {
    const taken = gate.take(String(signed));
    if ('refused' in taken) continue;
    const { job } = taken;
    const key = createLinkKey();
    const text = claimText(state, job, String(signed), key.publicText);
    const seals = sealsOf(key, job.key, [String(signed), text]);
    if (seals === null) continue;
    const desk = state.postbox.join(job.link, () => undefined);
    desk.post(0, Buffer.from(text), channelOf(job.channel));
    const n = ports.clock.now();
    const hello = Buffer.from(`${everyConnection}\n${foreignHello(ports.program, ports.random.hex(16))}`);
    desk.post(n, seals.runner.close(n, hello), channelOf(job.channel));
    desk.leave();
  }
};
