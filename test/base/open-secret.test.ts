import { describe, expect, it } from 'vitest';
import { createOpenSecret } from '../../src/base/open-secret.ts';
import { createRedact, redacted } from '../../src/base/redact.ts';

const unfinished = createOpenSecret(['correct horse battery']);

const own = 'Q7wErTy2uIoP9aSdFgH4jKlZxCvB1nM0abcd';

describe('a key of a known form that arrives letter by letter', () => {
  // Put together here, so that no file of ours holds a key.
  it.each(
    Object.entries({
      openai: `sk-${own}`,
      github: `ghp_${own}`,
      'github, fine': `github_pat_${own}`,
      gitlab: `glpat-${own}`,
      npm: `npm_${own}`,
      ours: `ralph_mcp_${'0a1b2c3d'.repeat(4)}`,
      amazon: 'AKIA' + 'IOSFODNN7EXAMPL0',
      'amazon, for a while': 'ASIA' + 'IOSFODNN7EXAMPL0',
      google: `AIza${own.slice(-35)}`,
      slack: `xoxp-${own}`,
      stripe: `sk_live_${own}`,
      'stripe, test': `rk_test_${own}`,
      huggingface: `hf_${own}`,
      sendgrid: `SG.${own}.${own}`,
      jwt: `eyJ${own}.eyJ${own}.${own}`,
      bearer: `Bearer ${own}`,
      basic: `Authorization: Basic ${own}`,
      parameter: `?api_key=${own}`,
      'client secret': `&client_secret=${own}`,
      assignment: `DEPLOY_TOKEN=${own}`,
      field: `"password": "${own}`,
      header: `X-Api-Key: ${own}`,
      url: `https://kim:${own}`,
    }),
  )('is held back from its first letter to its last: %s', (_, key) => {
    expect(createRedact()(`x ${key}@ `)).toContain(redacted);
    const shown = Array.from({ length: key.length }, (_, index) => {
      const text = `x ${key.slice(0, index + 1)}`;
      return text.slice(0, text.length - unfinished(text));
    });
    // What is shown early is at most what stands before the secret part.
    const secret = key.includes(own) ? key.indexOf(own) : 4;
    expect(shown.slice(secret).filter((text) => text.length > 2 + secret)).toEqual([]);
  });
});

describe('the end of a piece of output', () => {
  it.each([
    ['key: sk-', 3],
    ['key: sk-0123456789abcdefghij', 23],
    ['a gh', 2],
    ['ghp_abc', 7],
    ['AKIAIOSFO', 9],
    ['Authorization: Bearer abc', 10],
    ['postgres://me:pa55', 10],
    ['-----BEGIN RSA PRIV', 19],
    ['it is correct hor', 11],
    ['sk-ab\u001b[31mcd', 12],
    ['red \u001b[3', 3],
  ])('may be the beginning of a secret: %j', (text, characters) => {
    expect(unfinished(text)).toBe(characters);
  });

  it.each([
    '',
    'Continue? [y/N] ',
    'Password: ',
    'tokens: 12',
    'tests',
    'http://localhost:3000',
    'ghp_abc ',
    'sk-0123\n',
    'red \u001b[31m',
  ])('is let go of when it is none: %j', (text) => {
    expect(unfinished(text)).toBe(0);
  });
});
