import { z } from 'zod';

const base64url = (bytes: number): z.ZodString =>
  z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`));

/** Where a browser receives notices, as its Push API says it. */
export const subscriptionSchema = z.strictObject({
  endpoint: z.string().max(1_000),
  /** Its public key, an uncompressed point of P-256. */
  p256dh: base64url(65),
  /** What only the browser and we know. */
  auth: base64url(16),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

/** Our own key pair: services of push take notices for a browser only from the one that it subscribed with. */
export const vapidSchema = z.strictObject({ publicKey: base64url(65), privateKey: base64url(32) });
export type VapidKeys = z.infer<typeof vapidSchema>;

/** The services of the browsers. A device could name any address, and this program must not ask for it there. */
const services = [
  /^fcm\.googleapis\.com$/,
  /^updates\.push\.services\.mozilla\.com$/,
  /^[a-z0-9-]+\.push\.apple\.com$/,
  /^[a-z0-9.-]+\.notify\.windows\.com$/,
];

/** The subscription that a form brings, or why it does not count. */
export const subscriptionOf = (fields: ReadonlyMap<string, string>): Subscription | string => {
  const read = (name: string): string => fields.get(name) ?? '';
  const parsed = subscriptionSchema.safeParse({
    endpoint: read('endpoint'),
    p256dh: read('p256dh'),
    auth: read('auth'),
  }).data;
  const address = parsed && URL.canParse(parsed.endpoint) ? new URL(parsed.endpoint) : null;
  if (parsed === undefined || address === null) return 'This browser gave no usable address for notices.';
  const isService =
    address.protocol === 'https:' &&
    address.port === '' &&
    services.some((service) => service.test(address.hostname));
  return isService
    ? parsed
    : `Notices go only through the push services of Chrome, Firefox, Safari and Edge, not through ${address.hostname}.`;
};
