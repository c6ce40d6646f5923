import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/** What the release script says for a tag. It ends before it checks or publishes anything. */
const publish = (tag: string, mode = 'publish') => {
  const { status, stderr } = spawnSync('bash', ['.ci/release', mode], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], GITHUB_REF_NAME: tag },
  });
  return { status, stderr };
};

test('a release is refused where tag, version and changelog do not agree', () => {
  expect(publish('v99.0.0')).toEqual({
    status: 1,
    stderr: `the tag is v99.0.0, but package.json says ${version}\n`,
  });
  expect(publish(`v${version}`, 'now')).toEqual({ status: 2, stderr: 'say dry-run or publish, not now\n' });
});

test.runIf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`## [${version}] - Unreleased`))(
  'a version that the changelog calls unreleased is not published',
  () => {
    expect(publish(`v${version}`)).toEqual({
      status: 1,
      stderr: `CHANGELOG.md calls ${version} unreleased: give it a date\n`,
    });
  },
);

test('the workflow publishes from a tag alone, with provenance, after a person approved it', () => {
  const workflow = z
    .object({
      on: z.strictObject({ push: z.strictObject({ tags: z.array(z.string()) }) }),
      permissions: z.record(z.string(), z.string()),
      jobs: z.object({
        publish: z.object({
          environment: z.string(),
          steps: z.array(z.looseObject({ run: z.string().optional() })),
        }),
      }),
    })
    .parse(parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')));
  expect(workflow.on.push.tags).toEqual(['v*']);
  expect(workflow.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
  expect(workflow.jobs.publish.environment).toBe('npm');
  expect(workflow.jobs.publish.steps.at(-1)?.run).toBe('bash .ci/release publish');
  expect(readFileSync(join(root, '.ci/release'), 'utf8')).toContain('npm publish --provenance');
});
