import { expect, test } from 'vitest';
import { planAnswerSchema } from '../../src/agents/answers.ts';
import { agentVariables } from '../../src/agents/backends/acp/environment/agent-variables.ts';
import { expandVariables, withheldFrom } from '../../src/agents/backends/script/variables.ts';
import { describeResult } from '../../src/agents/command-result.ts';
import { claude } from '../../src/agents/profiles/claude.ts';
import { contracts } from '../../src/agents/replies/contracts.ts';
import { childEnvironment } from '../../src/base/process/child-environment.ts';
import { briefOf } from '../helpers/role-port.ts';

test('`env` of a command takes variables of the person, defaults and texts that only look like one', () => {
  const known = { DATABASE_URL: 'postgres://a', EMPTY: '' };
  const given = {
    A: `\${DATABASE_URL}/b`,
    B: `\${PORT:-80}`,
    C: `$\${DATABASE_URL}`,
    D: '$DATABASE_URL',
    E: `\${EMPTY}`,
  };
  expect(expandVariables(given, known)).toEqual({
    env: { A: 'postgres://a/b', B: '80', C: `\${DATABASE_URL}`, D: '$DATABASE_URL', E: '' },
  });
  expect(expandVariables({ A: 'x', B: `\${NOWHERE}` }, known)).toEqual({ missing: 'NOWHERE', in: 'B' });
});

test.each([
  ['test -n "$DATABASE_URL"', '', ['DATABASE_URL']],
  ['npm test', 'Error: DATABASE_URL is not set', ['DATABASE_URL']],
  ['node -e "process.env.PORT"', '', ['PORT']],
  ['kubectl get pods', 'connection refused', ['KUBECONFIG']],
  ['terraform plan', 'no credentials', ['AWS_PROFILE', 'AWS_REGION']],
  ['echo $VIRTUAL_ENV $NODE_ENV', '', ['NODE_ENV', 'VIRTUAL_ENV']],
  // Given, unset, no word of its own, or nothing that a plan may set.
  ['echo $GIVEN $NOWHERE $PYTHONPATH $PWD', 'PORT, DATABASE_URLS', []],
])('%s with %j did not get %j', (command, output, names) => {
  const person = {
    ...{ DATABASE_URL: 'x', PORT: '1', KUBECONFIG: 'k', AWS_PROFILE: 'p', AWS_REGION: 'r', NODE_ENV: 'n' },
    ...{ VIRTUAL_ENV: 'v', GIVEN: 'g', PYTHONPATH: 'y', PWD: '/' },
  };
  expect(withheldFrom(command, output, person, { GIVEN: 'g' })).toEqual(names);
});

test('a failed command says what it did not get, and how it is passed', () => {
  const failed = { text: 'x', purpose: 'run', exit: '1', ok: false, duration_ms: 5, tail: 'oh' } as const;
  expect(describeResult({ ...failed, withheld: ['DATABASE_URL'] })).toBe(
    `\`x\` exited 1 after 5 ms: oh; DATABASE_URL is set in your environment, but commands do not get it: add \`env: {DATABASE_URL: "\${DATABASE_URL}"}\` to the command`,
  );
});

test('Claude Code gets the credentials of the cloud that it is told to use, and no other', () => {
  const cloud = { AWS_REGION: 'eu-west-1', AWS_PROFILE: 'work', GOOGLE_CLOUD_PROJECT: 'p', AZURE_X: 'a' };
  const passed = (more: Readonly<Record<string, string>>) =>
    Object.keys(agentVariables(claude, { ...cloud, ...more })).filter((name) => Object.hasOwn(cloud, name));
  expect(passed({ CLAUDE_CODE_USE_BEDROCK: '1' })).toEqual(['AWS_REGION', 'AWS_PROFILE']);
  expect(passed({ CLAUDE_CODE_USE_VERTEX: 'true' })).toEqual(['GOOGLE_CLOUD_PROJECT']);
  expect(passed({ CLAUDE_CODE_USE_BEDROCK: '0' })).toEqual([]);
});

test('certificates of the person reach every child', () => {
  const certificates = {
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    REQUESTS_CA_BUNDLE: '/ca.pem',
    SSL_CERT_FILE: '/ca.pem',
  };
  expect(childEnvironment({ ...certificates, OTHER: 'x' })).toEqual(certificates);
});

test('in a plan of a model a name in braces stays text, however often it is escaped', () => {
  for (const value of [`\${TOKEN}`, `$\${TOKEN}`, `$$\${TOKEN}`, 'plain $TOKEN']) {
    const answer = {
      approach: [],
      notes: [],
      tasks: [{ id: 'a', title: 'A', files: ['a'], run: [{ cmd: 'env', env: { X: value } }] }],
      plan: null,
    };
    const contract = contracts.find(({ kind }) => kind === 'breakdown');
    const read = contract?.convert(answer, briefOf({ role: 'Planner', mode: 'TASK_BREAKDOWN' }));
    if (read?.kind !== 'answer') throw new Error(JSON.stringify(read));
    const planned = planAnswerSchema.parse(read?.kind === 'answer' ? read.answer : null);
    const [command] = planned.tasks[0]?.run ?? [];
    const env = typeof command === 'object' && 'env' in command ? (command.env ?? {}) : {};
    expect(expandVariables(env, { TOKEN: 'secret' })).toEqual({ env: { X: value } });
  }
});
