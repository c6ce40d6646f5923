import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { onTestFinished } from 'vitest';

/** The address of the front: on this machine, and no proxy variable leaves it out, as they do with 127.0.0.1. */
const host = '127.0.0.2';

/** The model server of a test behind TLS, as real models are. `directory` gets the certificate, `ca.pem`. Returns `host:port`. */
export const openTlsFront = async (directory: string, modelUrl: string): Promise<string> => {
  const at = (name: string): string => join(directory, name);
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:${host}`;
  execFileSync('openssl', [...words.split(' '), '-keyout', at('key.pem'), '-out', at('ca.pem')], {
    stdio: 'ignore',
  });
  const port = Number(new URL(modelUrl).port);
  const server = createServer(
    { key: readFileSync(at('key.pem')), cert: readFileSync(at('ca.pem')) },
    (near) => {
      const far = connect(port, '127.0.0.1');
      near.pipe(far).pipe(near);
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
    },
  );
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `${host}:${(server.address() as AddressInfo).port}`;
};
