import { isSecretName } from '../base/process/secret-name.ts';
import { createRedact, type Redact } from '../base/redact.ts';
import { isOrdinary } from '../base/secrets/ordinary-value.ts';

/** Values of variables whose names suggest a secret. Short values and ordinary words are left out: they would garble any text. */
export const secretsOf = (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(env).flatMap(([name, value = '']) =>
    isSecretName(name) && value.length >= 8 && !isOrdinary(value) ? [value] : [],
  );

/** The secrets that are known so far, and what takes them out of text. More become known with the configuration. */
export interface Secrets {
  readonly values: () => readonly string[];
  readonly redact: Redact;
  readonly learn: (more: readonly string[]) => void;
}

export const createSecrets = (known: readonly string[]): Secrets => {
  let values = known;
  let redact = createRedact(values);
  return {
    values: () => values,
    redact: (text) => redact(text),
    learn: (more) => {
      const news = more.filter((value) => !values.includes(value));
      if (news.length === 0) return;
      values = [...values, ...news];
      redact = createRedact(values);
    },
  };
};
