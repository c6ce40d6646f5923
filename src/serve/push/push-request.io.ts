import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto';
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
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const curve = 'prime256v1';
/** Seconds: what nobody fetched by then is out of date. */
const timeToLive = 3_600;
/** Seconds: RFC 8292 allows a day. */
const tokenLasts = 43_200;

export const newVapidKeys = (): VapidKeys => {
  const keys = createECDH(curve);
  const publicKey = keys.generateKeys('base64url');
  const privateKey = padded(keys.getPrivateKey()).toString('base64url');
  return { publicKey, privateKey };
};

/** Web Push (RFC 8030) with the message encrypted for the browser alone (RFC 8291) and signed for its service (RFC 8292). */
export const pushRequest = (
  subscription: Subscription,
  vapid: VapidKeys,
  { text, topic, subject, now }: Message,
): PushRequest => ({
  endpoint: subscription.endpoint,
  headers: {
    authorization: `vapid t=${tokenFor(subscription.endpoint, vapid, subject, now)}, k=${vapid.publicKey}`,
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(timeToLive),
    urgency: 'high',
    topic,
  },
  body: encrypted(subscription, text),
});

/** Bytes of the record that the text, its mark and its tag must fit in. */
const recordBytes = 4_096;
const longestText = recordBytes - 16 - 1 - 86;

/** RFC 8291 and RFC 8188, one record. The sender's keys and the salt are new for each message; only a test gives them. */
export const encrypted = (
  { p256dh, auth }: Pick<Subscription, 'p256dh' | 'auth'>,
  text: string,
  keys: ECDH = withNewKeys(),
  salt: Uint8Array = randomBytes(16),
): Uint8Array<ArrayBuffer> => {
  const plain = Buffer.from(text);
  if (plain.length > longestText) throw new Error(`a notice has at most ${longestText} bytes`);
  const receiver = Buffer.from(p256dh, 'base64url');
  const sender = keys.getPublicKey();
  const shared = keys.computeSecret(receiver);
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender]);
  const secret = derive(shared, Buffer.from(auth, 'base64url'), about, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // The last record ends in 2.
  const sealed = [cipher.update(plain), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()];
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordBytes);
  return Buffer.concat([salt, size, Buffer.from([sender.length]), sender, ...sealed]);
};

const withNewKeys = (): ECDH => {
  const keys = createECDH(curve);
  keys.generateKeys();
  return keys;
};

const derive = (secret: Uint8Array, salt: Uint8Array, about: Uint8Array, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, about, bytes));

/** A web token (RFC 7515) that is good for the origin of this service alone. */
const tokenFor = (
  endpoint: string,
  { publicKey, privateKey: d }: VapidKeys,
  subject: string,
  now: number,
): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(now / 1_000) + tokenLasts;
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: new URL(endpoint).origin, exp, sub: subject })}`;
  const point = Buffer.from(publicKey, 'base64url');
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((each) =>
    each.toString('base64url'),
  );
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y, d } });
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
};

/** Leading zeros are part of the key. */
const padded = (bytes: Buffer): Buffer => Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]);
