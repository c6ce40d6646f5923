import { isSecretName } from '../../base/process/secret-name.ts';
import { type Redact, redactDeep, redacted } from '../../base/redact.ts';

/** Removes secrets from plain data: whole values under a telling key, and known values and forms of keys anywhere. Numbers stay. */
export const redactParams = (
  redact: Redact,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), underKey(redact, key, item, 0)]),
  );

/** Data of agents may be nested as deep as they like. */
const deepest = 12;

const underKey = (redact: Redact, key: string, value: unknown, depth: number): unknown => {
  if (depth > deepest) return '[too deep]';
  if (isTelling(key)) return withoutTexts(value, depth);
  if (Array.isArray(value)) return value.map((item) => underKey(redact, '', item, depth + 1));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([own, item]) => [redact(own), underKey(redact, own, item, depth + 1)]),
    );
  return redactDeep(redact, value);
};

/** `author`, `keyword` and `monkey` tell nothing. */
const isTelling = (key: string): boolean =>
  isSecretName(key) || /^(?:key|auth|set-cookie)$|cookie$/i.test(key);

const withoutTexts = (value: unknown, depth: number): unknown => {
  if (depth > deepest) return '[too deep]';
  if (typeof value === 'string') return redacted;
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, depth + 1));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, withoutTexts(item, depth + 1)]),
    );
  return value;
};
