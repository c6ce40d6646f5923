/**
 * The values, and how they look in base64 (at any place of a longer text, both alphabets), in hexadecimal, in a URL, a form and a JSON string. The
 * longest first.
 */
export const encodedForms = (secrets: readonly string[]): readonly string[] => [
  ...new Set(
    secrets
      .flatMap((secret) => [secret, ...encodings(secret)])
      .sort((one, other) => other.length - one.length),
  ),
];

/** Shorter pieces of an encoded value occur by chance. */
const shortest = 10;

const encodings = (secret: string): readonly string[] => {
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const inUrl = encodeURIComponent(secret.toWellFormed());
  return [
    ...base64Of(bytes).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
    hex,
    hex.toUpperCase(),
    inUrl,
    inUrl.replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
  ].filter((text) => text !== secret && text.length >= shortest);
};

/** Bytes that one call of `String.fromCharCode` takes. */
const atOnce = 8_192;

/** The characters that depend on nothing before or behind the value, for each of the three places in a group of bytes. */
const base64Of = (bytes: Uint8Array): readonly string[] =>
  [0, 1, 2].map((before) => {
    const placed = new Uint8Array(before + bytes.length);
    placed.set(bytes, before);
    let text = '';
    for (let at = 0; at < placed.length; at += atOnce)
      text += String.fromCharCode(...placed.subarray(at, at + atOnce));
    const first = Math.ceil((before * 8) / 6);
    return btoa(text).slice(first, Math.floor((placed.length * 8) / 6));
  });

/** A run of base64, or a text with escapes of a URL, that may hold a key in another dress. */
const runs = /[A-Za-z0-9+/_-]{24,65536}={0,2}|[^\s"'<>]{0,256}%[0-9A-Fa-f]{2}[^\s"'<>]{0,1024}/g;

/** Removes every run of base64 and of URL escapes whose decoded text `holdsSecret`. */
export const withoutEncoded = (
  text: string,
  holdsSecret: (decoded: string) => boolean,
  replacement: string,
): string =>
  text.replace(runs, (run) => {
    const decoded = run.includes('%') ? fromUrl(run) : fromBase64(run);
    return decoded !== null && holdsSecret(decoded) ? replacement : run;
  });

const fromUrl = (text: string): string =>
  text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const fromBase64 = (text: string): string | null => {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  const whole = plain.slice(0, plain.length % 4 === 1 ? -1 : undefined);
  const decoded = atob(whole);
  // Text that decodes to binary data is a hash or an image.
  return /^[\t\r\n\x20-\x7e\x80-\xff]*$/.test(decoded) ? decoded : null;
};
