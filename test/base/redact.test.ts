import { describe, expect, test } from 'vitest';
import { createRedact, redactDeep } from '../../src/base/redact.ts';
import { processorTime, repeatedly } from '../helpers/processor-time.ts';

const redact = createRedact(['hunter2-hunter2', 'hunter2-hunter2-longer', 'short']);
const letters = 'aB3dE5gH1jK2mN4pQ6sT8vW0xY7zC9fL';
const pem = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'DEK-Info: AES-256-CBC,00',
  '',
  letters,
  letters,
  '-----END RSA PRIVATE KEY-----',
];

describe('secrets', () => {
  test('that are known are taken out wherever they stand, the longest first', () => {
    expect(redact('a hunter2-hunter2-longer b hunter2-hunter2c')).toBe('a [redacted] b [redacted]c');
  });

  test('too short to be told from words are left alone', () => {
    expect(redact('a short word')).toBe('a short word');
  });

  test('are known by their form', () => {
    for (const secret of [
      `sk-ant-${letters}`,
      `ghp_${letters}`,
      `github_pat_${letters}`,
      `glpat-${letters}`,
      `npm_${letters}abcd`,
      `ralph_mcp_${'0a1b'.repeat(16)}`,
      'AKIAIOSFODNN7EXAMPLE',
      `AIza${letters}abc`,
      `xoxb-${letters}`,
      `sk_live_${letters}`,
      `hf_${letters}`,
      `SG.${letters}.${letters}`,
      `eyJ${letters}.eyJ${letters}.${letters}`,
      pem.join('\n'),
    ])
      expect(redact(`before ${secret} after`)).toBe('before [redacted] after');
    expect(redact(`Authorization: Bearer ${letters}\nnext`)).toBe('Authorization: Bearer [redacted]\nnext');
    expect(redact(`Authorization: Basic ${letters}`)).toBe('Authorization: Basic [redacted]');
    expect(redact(`GET /v1?api_key=${letters}&page=2`)).toBe('GET /v1?api_key=[redacted]&page=2');
    expect(redact('postgres://me:pa55w0rd@host:5432/db')).toBe('postgres://me:[redacted]@host:5432/db');
  });

  test('are known by the name that they are given under', () => {
    for (const [before, after = ''] of [
      ['//registry.npmjs.org/:_authToken='],
      ['AWS_SECRET_ACCESS_KEY='],
      ['aws_secret_access_key = '],
      ['export DEPLOY_TOKEN="', '"'],
      ['{"password":"', '"}'],
      ['{"db": {"client_secret": "', '"}}'],
      ["apiKey: '", "',"],
      ['X-Api-Key: '],
      ['PRIVATE-TOKEN: '],
      ['Authorization: token '],
      ['Cookie: session=', '; theme=dark'],
      ['deploy --access-key ', ' --now'],
      ['--token=', ' x'],
      ['curl -u kim:', ' https://example.org'],
      ['machine example.org login kim password '],
      ['https://', '@github.com/a/b'],
      ['https://', ':x-oauth-basic@github.com/a/b'],
      ['https://kim:a:b', '@example.org/a'],
      ['https://kim:a@b@', '@example.org/a'],
      ['https://hooks.slack.com/services/', ''],
    ] as const) {
      const shown = redact(`${before}${letters}${after}`);
      expect(shown, before).toContain('[redacted]');
      expect(shown, before).not.toContain(letters.slice(0, 12));
      expect(redact(shown), before).toBe(shown);
    }
    for (const example of [
      'POSTGRES_PASSWORD=postgres',
      'postgres://postgres:postgres@db',
      'API_KEY=changeme123',
    ])
      expect(redact(example)).toBe(example);
    expect(redact('MY_PASSWORD=correct-horse-battery')).toBe('MY_PASSWORD=[redacted]');
  });

  test('that are known are taken out in base64, in hexadecimal, in a URL and in JSON, too', () => {
    const value = 'pass word/"42" of kim';
    const own = createRedact([value]);
    const bytes = Buffer.from(value);
    for (const text of [
      bytes.toString('base64'),
      bytes.toString('base64url'),
      Buffer.from(`kim:${value}`).toString('base64'),
      Buffer.from(`kim2:${value}!`).toString('base64'),
      bytes.toString('hex'),
      encodeURIComponent(value),
      encodeURIComponent(value).replaceAll('%20', '+'),
      JSON.stringify({ value }),
    ]) {
      expect(own(text)).toContain('[redacted]');
      expect(own(text)).not.toContain(text.slice(6, -6));
    }
  });

  test('are taken out of a private key that comes in two pieces', () => {
    for (let cut = 1; cut < pem.length; cut += 1) {
      const first = redact(`${pem.slice(0, cut).join('\n')}\n`);
      const second = redact(`${pem.slice(cut).join('\n')}\nafter`);
      expect(first).toBe('[redacted]');
      if (cut > 2) expect(second).not.toContain(letters);
      expect(second).toContain('after');
    }
  });

  test('are seen through a colour in their middle, and the colours stay', () => {
    const key = `ghp_${letters}`;
    const half = `\u001b[1m${key.slice(0, 9)}\u001b[31m${key.slice(9)}\u001b[0m`;
    expect(redact(`a ${half} b`)).toBe('a \u001b[1m[redacted]\u001b[31m\u001b[0m b');
    expect(redact(`Bearer ${letters.slice(0, 9)}\u001b[31m${letters.slice(9)} b`)).toBe(
      'Bearer [redacted]\u001b[31m b',
    );
    expect(redact('hunter2\u001b[0m-hunter2')).toBe('[redacted]\u001b[0m');
    expect(redact(`h\u200bunter2-hunter2 \u001b]0;${key}\u0007`)).not.toContain(letters);
  });

  test('of several lines are taken out line by line, but for lines that are words', () => {
    const own = createRedact([`{\n "type": "service_account",\n${letters}\n}`]);
    expect(own(`${letters}\n "type": "service_account",`)).toBe('[redacted]\n "type": "service_account",');
  });

  test('are not seen where there are none', () => {
    for (const text of [
      'ask-me-anything-about-tasks',
      'https://example.org:8080/a@b',
      'the PRIVATE KEY of success',
      'sk-short',
      'd670460b4b4aece5915caf5c68d12f560a9fe3e4d670460b4b4aece5915caf5c',
      'a Bearer of news',
      'the basic authorization: Basic is a scheme',
      'find(a?b&key=short)',
      'half_life and eyJust.eyJust.x',
      'token: string; password: options.password2, secret = hash2Secret(key)',
      'const token = createToken(4096), secret = await readSecret8(file)',
      'export API_TOKEN=$OTHER_TOKEN PASSWORD="$DB_PASSWORD_2" TOKEN=$(cat token-12345678)',
      'max_tokens: 409600000, tokens=45200000 of key: value12345678',
      'docker run -u 1000:1000 image --token-file /run/token-1',
      'the password is asked for: answer it',
      'http://localhost:3000/a?b=c@d',
      'git@github.com:owner/a-very-long-name-of-a-repository-1.git',
      'ssh://git@example.org:2222/repository-1',
    ])
      expect(redact(text)).toBe(text);
  });

  test('are taken out of plain data at any depth, which is otherwise given back as it is', () => {
    expect(redactDeep(redact, { 'hunter2-hunter2': 1 })).toEqual({ '[redacted]': 1 });
    const value = { a: ['x', { b: 'hunter2-hunter2' }], c: 1, d: null };
    expect(redactDeep(redact, value)).toEqual({ a: ['x', { b: '[redacted]' }], c: 1, d: null });
    const clean = { a: ['x'], b: undefined };
    expect(redactDeep(redact, clean)).toBe(clean);
  });

  test('are removed from a long text as from each part of it', () => {
    const keys = [
      'sk-0123456789abcdefghij',
      'Bearer\n\n\n\nabcdefghijk',
      'https://kim:geheim@host',
      'AKIA0123456789ABCDEF',
    ];
    const filler = 'task-1 and disk-2 of https://example.org\n'.repeat(200);
    const text = keys.map((key) => `${filler}x ${key} y\n`).join('');
    const clean = redact(text + filler);
    expect(clean).toBe(keys.map((key) => `${filler}${redact(`x ${key} y\n`)}`).join('') + filler);
    for (const key of keys) expect(redact(key)).toContain('[redacted]');
    expect(clean.match(/\[redacted\]/g)).toHaveLength(keys.length);
  });

  test('cost time in proportion to the text, whatever it is made of', () => {
    const redactAll = (text: string) => () => {
      redact(`PRIVATE KEY ://${text}`);
      redact(`://${text}`);
    };
    for (const piece of [
      'a\n',
      '-----BEGIN PRIVATE KEY-----',
      '://a:b',
      'sk-',
      'Bearer ',
      `${letters}\n`,
      'x:',
      'eyJ-',
      'eyJabcdefghijk.',
      'SG.',
      '?key=',
      'Authorization: Basic ',
      'token: ',
      'token=a1',
      '"password":"',
      '--token ',
      'login a password ',
      '://a1@',
      'https://kim:a@',
      ' -u a:',
    ]) {
      const short = processorTime(repeatedly(8, redactAll(piece.repeat(1_500))), 1);
      const long = processorTime(redactAll(piece.repeat(12_000)));
      // As much text in one piece as in eight: as long when linear, eight times as long when quadratic.
      expect(long, JSON.stringify(piece)).toBeLessThan(short * 4 + 40);
    }
  });
});
