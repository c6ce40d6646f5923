import { fromJson, isRecord } from '../../../../base/json.ts';
import { childEnvironment } from '../../../../base/process/child-environment.ts';
import { isForbiddenVariable } from '../../../../base/process/forbidden-variable.ts';
import { isSecretName } from '../../../../base/process/secret-name.ts';
import type { AgentProfile } from '../../../profiles/profile.ts';

/** The part of a profile that decides about variables. */
type VariablesOf = Pick<AgentProfile, 'passEnv' | 'passWith' | 'envDefaults' | 'env' | 'jsonEnv'>;

type Variables = Readonly<Record<string, string>>;

/**
 * The variables of an agent beside those that every child gets: the profile's defaults, listed ones of the program's own environment, then the profile's. Variables that make
 * other programs run foreign code are never passed.
 */
export const agentVariables = (
  { passEnv, passWith, envDefaults, env: own, jsonEnv }: VariablesOf,
  env: Readonly<Record<string, string | undefined>>,
): Variables => {
  const withOthers = Object.entries(passWith).flatMap(([name, more]) =>
    isOn(env[name] ?? own[name]) ? more : [],
  );
  const isListed = (name: string): boolean =>
    [...passEnv, ...withOthers].some((entry) =>
      entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry,
    );
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isListed(name) && !isForbiddenVariable(name) ? [[name, value] as const] : [],
  );
  const variables = { ...envDefaults, ...Object.fromEntries(passed), ...own };
  const merged = Object.entries(jsonEnv).map(([name, ours]) => [name, mergedJson(ours, variables[name])]);
  return { ...variables, ...Object.fromEntries(merged) };
};

/** A switch that is set to anything but off. */
const isOn = (value: string | undefined): boolean =>
  value !== undefined && !/^(?:0|false|no|off)?$/i.test(value.trim());

/** Names of variables with a login that are set and that the agent does not get. */
export const withheldVariables = (
  profile: VariablesOf,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] => {
  const passed = childEnvironment(env, agentVariables(profile, env));
  return Object.keys(env)
    .filter((name) => env[name] && isSecretName(name) && !Object.hasOwn(passed, name))
    .sort();
};

/** A value that is not a JSON object stays as it is: the agent then says what is wrong with it. */
const mergedJson = (ours: Readonly<Record<string, unknown>>, users: string | undefined): string => {
  if (users === undefined || users.trim() === '') return JSON.stringify(ours);
  const value = fromJson(users);
  return isRecord(value) ? JSON.stringify(overlaid(ours, value)) : users;
};

const overlaid = (below: unknown, above: unknown): unknown =>
  isRecord(below) && isRecord(above)
    ? Object.fromEntries(
        [...new Set([...Object.keys(below), ...Object.keys(above)])].map((key) => [
          key,
          Object.hasOwn(above, key) ? overlaid(below[key], above[key]) : below[key],
        ]),
      )
    : above;
