import { expect, test } from 'vitest';
import {
  agentVariables,
  withheldVariables,
} from '../../../src/agents/backends/acp/environment/agent-variables.ts';
import { codex } from '../../../src/agents/profiles/codex.ts';
import { gemini } from '../../../src/agents/profiles/gemini.ts';

const configOf = (
  env: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>> = {},
): unknown => JSON.parse(agentVariables({ ...codex, env: own }, env)['CODEX_CONFIG'] ?? '');

test('an agent gets the variables that its profile lists, and none that makes it run foreign code', () => {
  const env = { GEMINI_API_KEY: 'k', NODE_OPTIONS: '--require x', SECRET: 's' };
  expect(agentVariables({ ...gemini, passEnv: ['GEMINI_*', 'NODE_OPTIONS'] }, env)).toEqual({
    GEMINI_API_KEY: 'k',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  });
});

test('a default of a profile gives way to the variable of the user', () => {
  const env = { GEMINI_CLI_TRUST_WORKSPACE: 'false' };
  expect(agentVariables(gemini, env)['GEMINI_CLI_TRUST_WORKSPACE']).toBe('false');
});

test("the user's own CODEX_CONFIG is kept, with our values below it", () => {
  const ours = { features: { instant_interrupt: false } };
  expect(configOf({})).toEqual(ours);
  expect(configOf({ CODEX_CONFIG: ' ' })).toEqual(ours);
  expect(configOf({ CODEX_CONFIG: '{"model":"m","features":{"apps":false}}' })).toEqual({
    model: 'm',
    features: { instant_interrupt: false, apps: false },
  });
  expect(configOf({ CODEX_CONFIG: '{"features":{"instant_interrupt":true}}' })).toEqual({
    features: { instant_interrupt: true },
  });
  expect(configOf({ CODEX_CONFIG: '{"model":"m"}' }, { CODEX_CONFIG: '{"model":"n"}' })).toEqual({
    ...ours,
    model: 'n',
  });
});

test('a CODEX_CONFIG that is not a JSON object reaches the agent as it is', () => {
  for (const text of ['{broken', '[1]', 'null'])
    expect(agentVariables(codex, { CODEX_CONFIG: text })['CODEX_CONFIG']).toBe(text);
});

test('variables with a login that an agent does not get are named', () => {
  const env = { GEMINI_API_KEY: 'k', MY_API_KEY: 'm', GH_TOKEN: 't', EMPTY_TOKEN: '', EDITOR: 'vi' };
  expect(withheldVariables(gemini, env)).toEqual(['GH_TOKEN', 'MY_API_KEY']);
  expect(withheldVariables({ ...gemini, passEnv: ['*'] }, env)).toEqual([]);
});
