import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { pushNotice } from '../../src/cli/serve/push-notice.ts';
import type { Notice } from '../../src/serve/act/notice.ts';
import { everyEvent } from '../helpers/page-session.ts';
import { deviceWith, served } from '../helpers/served.ts';

const from64 = (text: string): Buffer => Buffer.from(text, 'base64url');

/** The keys of a browser, as RFC 8291 has them in appendix A. */
const known = {
  receiver: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

const receiver = createECDH('prime256v1');
receiver.setPrivateKey(from64(known.receiver));

/** What the browser reads of a message. */
const decrypted = (body: Buffer): string => {
  const length = body[20] ?? 0;
  const [salt, sender, sealed] = [
    body.subarray(0, 16),
    body.subarray(21, 21 + length),
    body.subarray(21 + length),
  ];
  const derive = (secret: Buffer, from: Buffer, about: Buffer | string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, about, bytes));
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), from64(known.p256dh), sender]);
  const secret = derive(receiver.computeSecret(sender), from64(known.auth), about, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const cipher = createDecipheriv('aes-128-gcm', key, derive(secret, salt, 'Content-Encoding: nonce\0', 12));
  cipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  expect(plain.at(-1)).toBe(2);
  return plain.subarray(0, -1).toString();
};

/** Whether the service may believe that a request came from the holder of the key that the browser subscribed with. */
const isSignedFor = (authorization: string, publicKey: string, origin: string): boolean => {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(\S+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const { aud, exp, sub } = JSON.parse(from64(claims).toString());
  const point = from64(key);
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((each) =>
    each.toString('base64url'),
  );
  const jwk = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
  expect(JSON.parse(from64(head).toString())).toEqual({ typ: 'JWT', alg: 'ES256' });
  expect(sub).toMatch(/^https:/);
  expect(exp).toBeGreaterThan(Date.now() / 1_000);
  expect(exp).toBeLessThan(Date.now() / 1_000 + 86_400);
  return (
    aud === origin &&
    key === publicKey &&
    verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: jwk, dsaEncoding: 'ieee-p1363' },
      from64(signature),
    )
  );
};

/** A service of push on this machine, which answers with these statuses one after the other. */
const pushService = async (...statuses: readonly number[]) => {
  const heard: { readonly headers: IncomingHttpHeaders; readonly body: Buffer }[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      response.writeHead(statuses[heard.length] ?? 500).end();
      heard.push({ headers: request.headers, body: Buffer.concat(pieces) });
    });
  });
  onTestFinished(() => {
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  return { origin: `http://127.0.0.1:${port}`, heard };
};

const token = '8'.repeat(64);
const notice: Notice = {
  session: '261128-120000',
  kind: 'question',
  since: '2026-11-28T12:00:00.000Z',
  waiting: 1,
};

test('a paired device receives notices by its push service: encrypted for it, signed by us, until the service has forgotten it', async () => {
  const { kept, ask, pageToken } = served(everyEvent(), [deviceWith(token, 'watch')]);
  const key = /data-key="([^"]+)"/.exec(await (await ask('/', { token })).text())?.[1] ?? '';
  expect(kept.read().vapid?.publicKey).toBe(key);
  const post = async (fields: Record<string, string>) =>
    (
      await ask('/push', {
        token,
        headers: { 'x-ralph-page': pageToken(token) },
        body: new URLSearchParams(fields).toString(),
      })
    ).text();
  const { p256dh, auth } = known;
  for (const endpoint of [
    'http://fcm.googleapis.com/x',
    'https://127.0.0.1/x',
    'https://fcm.googleapis.com:8443/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://evil.example/x',
  ])
    expect(await post({ endpoint, p256dh, auth })).toContain('Notices go only through the push services');
  expect(await post({ endpoint: 'x', p256dh, auth })).toContain('no usable address');
  expect(await post({ endpoint: 'https://fcm.googleapis.com/x', p256dh: 'x', auth })).toContain(
    'no usable address',
  );
  expect(await post({ endpoint: 'https://fcm.googleapis.com/x', p256dh, auth })).toContain(
    'This device gets notices.',
  );
  const [device] = kept.read().devices;
  expect(device?.push?.endpoint).toBe('https://fcm.googleapis.com/x');

  const { origin, heard } = await pushService(201, 503, 410);
  if (device !== undefined) kept.receive(device.id, { endpoint: `${origin}/to/phone`, p256dh, auth });
  const notes: string[] = [];
  const send = () => pushNotice({ kept, outside: null, note: (text) => notes.push(text) }, notice);
  await send();
  expect(heard[0]?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '3600', urgency: 'high' });
  expect(isSignedFor(heard[0]?.headers.authorization ?? '', key, origin)).toBe(true);
  expect(JSON.parse(decrypted(heard[0]?.body ?? Buffer.alloc(0)))).toEqual(notice);
  await send();
  expect(notes).toEqual(['No notice to watch 8888: its push service answered 503']);
  await send();
  expect(kept.read().devices.map(({ push }) => push)).toEqual([undefined]);
  await send();
  expect(heard).toHaveLength(3);
  await post({ endpoint: 'https://web.push.apple.com/x', p256dh, auth });
  expect(await post({ do: 'stop' })).toContain('This device gets no notices.');
  expect(kept.read().devices[0]?.push).toBeUndefined();
});
