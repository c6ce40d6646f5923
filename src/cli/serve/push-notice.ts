import { sha256 } from '../../base/hash.io.ts';
import { safe } from '../../base/safe.ts';
import type { Device } from '../../serve/access/device.ts';
import type { Notice } from '../../serve/act/notice.ts';
import { newVapidKeys, pushRequest } from '../../serve/push/push-request.io.ts';
import type { Subscription } from '../../serve/push/subscription.ts';
import type { KeptFiles } from './kept-files.ts';

interface PushPorts {
  readonly kept: KeptFiles;
  /** `serve.url`. */
  readonly outside: string | null;
  readonly note: (text: string) => void;
}

const silenceMs = 15_000;
/** Whom a push service may ask about a program that has no address of its own. */
const ownHome = 'https://github.com/ralph-sessions/tui';

/** Sends the notice to each device that asked for notices. Resolves when every service has answered. */
export const pushNotice = async (ports: PushPorts, notice: Notice): Promise<void> => {
  const { devices } = ports.kept.read();
  await Promise.all(
    devices.flatMap((device) =>
      device.push === undefined ? [] : [pushTo(ports, device, device.push, notice)],
    ),
  );
};

const pushTo = async (
  { kept, outside, note }: PushPorts,
  device: Device,
  push: Subscription,
  notice: Notice,
): Promise<void> => {
  const failed = (why: string): void => note(`No notice to ${safe(device.name)}: ${safe(why)}`);
  try {
    const { endpoint, headers, body } = pushRequest(push, kept.vapid(newVapidKeys), {
      text: JSON.stringify(notice),
      topic: sha256(notice.session).slice(0, 32),
      subject: outside?.startsWith('https:') === true ? outside : ownHome,
    });
    const signal = AbortSignal.timeout(silenceMs);
    const answer = await fetch(endpoint, { method: 'POST', headers, body, redirect: 'error', signal });
    await answer.body?.cancel();
    if (answer.ok) return;
    // The browser gave this address up.
    if (answer.status === 404 || answer.status === 410) kept.receive(device.id, null);
    else failed(`its push service answered ${answer.status}`);
  } catch (error) {
    failed(error instanceof Error ? error.message : String(error));
  }
};
