import { isSecretName } from '../base/process/secret-name.ts';

/** Values of variables whose names suggest a secret. Short values are left out: they would blank ordinary words. */
export const secretsOf = (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(env).flatMap(([name, value = '']) =>
    isSecretName(name) && value.length >= 8 ? [value] : [],
  );
