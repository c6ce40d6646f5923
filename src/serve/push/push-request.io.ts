import webpush from 'web-push';
import type { Subscription, VapidKeys } from './subscription.ts';

/** What a service of push is asked for: one notice for one browser. */
export interface PushRequest {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

interface Message {
  readonly text: string;
  /** A later notice with the same one takes the place of an earlier one that was not fetched yet; at most 32 characters of base64url. */
  readonly topic: string;
  /** Whom the service may ask about us: an address with https: or mailto:. */
  readonly subject: string;
}

/** Seconds: what nobody fetched by then is out of date. */
const timeToLive = 3_600;

export const newVapidKeys = (): VapidKeys => webpush.generateVAPIDKeys();

/** Web Push (RFC 8030) with the message encrypted for the browser alone (RFC 8291) and signed for its service (RFC 8292). */
export const pushRequest = (
  { endpoint, p256dh, auth }: Subscription,
  vapid: VapidKeys,
  { text, topic, subject }: Message,
): PushRequest => {
  const { headers, body } = webpush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
    vapidDetails: { subject, ...vapid },
    contentEncoding: 'aes128gcm',
    TTL: timeToLive,
    urgency: 'high',
    topic,
  });
  // `fetch` counts the bytes itself.
  const { 'Content-Length': _length, ...others } = headers;
  const named = Object.entries(others).map(([name, value]) => [name, String(value)] as const);
  return { endpoint, headers: Object.fromEntries(named), body: Uint8Array.from(body) };
};
