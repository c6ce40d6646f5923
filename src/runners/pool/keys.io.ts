import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** A host or a runner, to those that list its public key. */
export interface Identity {
  /** `pool-` and 43 characters. */
  readonly publicKey: string;
  readonly sign: (text: string) => string;
}

const publicText = /^pool-([\w-]{43})$/u;
const secretText = /^pool-secret-([\w-]{43})$/u;

export const isPublicKey = (text: string): boolean => publicText.test(text);

/** A new secret key of an identity, as text. */
export const createSecret = (): string => {
  const { d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return `pool-secret-${d}`;
};

/** The identity of a secret key (Ed25519); `null`: the text is none. */
export const identityOf = (secret: string): Identity | null => {
  const [, seed] = secretText.exec(secret.trim()) ?? [];
  if (seed === undefined) return null;
  const key = createPrivateKey({
    key: Buffer.concat([ed25519Prefix, Buffer.from(seed, 'base64url')]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return {
    publicKey: `pool-${x}`,
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
  };
};

/** What stands before the 32 bytes of a secret key in PKCS #8 (RFC 8410). */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Whether the owner of a public key signed a text. */
export const isSignedBy = (publicKey: string, text: string, signature: string): boolean => {
  const [, x] = publicText.exec(publicKey) ?? [];
  const bytes = Buffer.from(signature, 'base64url');
  // Its last character has bits that mean nothing: one text of each signature counts.
  if (x === undefined || bytes.toString('base64url') !== signature) return false;
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, bytes);
  } catch {
    return false;
  }
};

/** A key pair of one link (X25519). Its secret half is in the memory of one process only. */
export interface LinkKey {
  readonly secret: KeyObject;
  /** 43 characters. */
  readonly publicText: string;
}

export const createLinkKey = (): LinkKey => {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  return { secret: privateKey, publicText: publicKey.export({ format: 'jwk' }).x ?? '' };
};

/** Encrypts and authenticates the rows of one side of a link. */
export interface Seal {
  /** `n` is never used twice for one key. */
  close(n: number, body: Uint8Array): Buffer;
  /** `null`: it was altered, or is of another link, side or number. */
  open(n: number, sealed: Uint8Array): Buffer | null;
}

/**
 * The seals of both sides (AES-256-GCM) from the keys of a link. `said`: both signed texts that these keys came in, so that the seals are of these two sides
 * alone. `null`: the other key is none.
 */
export const sealsOf = (
  own: LinkKey,
  other: string,
  said: readonly [job: string, claim: string],
): { readonly host: Seal; readonly runner: Seal } | null => {
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: other }, format: 'jwk' });
    const shared = diffieHellman({ privateKey: own.secret, publicKey });
    const salt = Buffer.from(digestOf(JSON.stringify(said)), 'hex');
    const key = (side: string): Buffer =>
      Buffer.from(hkdfSync('sha256', shared, salt, `ralph-pool ${side}`, 32));
    return { host: sealWith(key('host')), runner: sealWith(key('runner')) };
  } catch {
    return null;
  }
};

const tagBytes = 16;

const sealWith = (key: Buffer): Seal => ({
  close: (n, body) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(n));
    return Buffer.concat([cipher.update(body), cipher.final(), cipher.getAuthTag()]);
  },
  open: (n, sealed) => {
    if (sealed.length < tagBytes) return null;
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(n), { authTagLength: tagBytes });
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]);
    } catch {
      return null;
    }
  },
});

const nonceOf = (n: number): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(n), 4);
  return nonce;
};

/** SHA-256 as hexadecimal digits. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
