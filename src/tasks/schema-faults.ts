import { z } from 'zod';
import type { Checked, Fault } from '../base/fault.ts';
import { visibleName } from '../base/safe.ts';
import { nearestKey } from './nearest-key.ts';

/** The origin of a value: a file, and a function from a path in the value to its line. */
export interface Source {
  readonly file: string;
  readonly line: ((path: readonly PropertyKey[]) => number) | null;
}

/**
 * Checks a value against a schema. Every fault names file, line, field and the allowed values. `at` is the path of `value` inside the source.
 * The fault for an unknown key suggests the nearest known one (src/session/README.md).
 */
export const checkValue = <T>(
  schema: z.ZodType<T>,
  value: unknown,
  source: Source,
  code: string,
  at: readonly PropertyKey[] = [],
): Checked<T> => {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  const faults = result.error.issues.flatMap((issue) =>
    describe(schema, value, issue).map(({ path, what, hint }) =>
      faultAt(source, code, [...at, ...path], what, hint),
    ),
  );
  return { ok: false, faults };
};

/** A fault about one field. */
export const faultAt = (
  source: Source,
  code: string,
  path: readonly PropertyKey[],
  what: string,
  hint?: string,
): Fault => {
  const line = source.line === null ? '' : `:${source.line(path)}`;
  const field = path.length === 0 ? '' : `${fieldName(path)}: `;
  return {
    code,
    what: `${field}${what}`,
    where: `${source.file}${line}`,
    ...(hint === undefined ? {} : { hint }),
  };
};

/** `tasks[2].blockedBy` */
const fieldName = (path: readonly PropertyKey[]): string =>
  path
    .map((step, index) =>
      typeof step === 'number' ? `[${step + 1}]` : `${index > 0 ? '.' : ''}${visibleName(String(step))}`,
    )
    .join('');

interface Described {
  readonly path: readonly PropertyKey[];
  readonly what: string;
  readonly hint?: string;
}

const describe = (schema: z.ZodType, value: unknown, issue: z.core.$ZodIssue): readonly Described[] => {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => {
      const nearest = nearestKey(key, known);
      const what = nearest === null ? 'is not a known key' : `did you mean ${nearest}?`;
      const words = /[\s"']/.test(key) ? 'put a text with a colon in quotes; ' : '';
      return { path: [...issue.path, key], what, hint: `${words}known keys: ${known.join(', ')}` };
    });
  }
  if (issue.code === 'invalid_union') {
    if (issue.message !== 'Invalid input') return [{ path: issue.path, what: issue.message }];
    const inner = issue.errors.find((issues) =>
      issues.every((it) => it.path.length > 0 || it.code === 'unrecognized_keys'),
    );
    if (inner)
      return inner.flatMap((it) => describe(schema, value, { ...it, path: [...issue.path, ...it.path] }));
    const kinds = issue.errors.flatMap((issues) =>
      issues.map((it) => (it.code === 'invalid_type' ? kindName(it.expected) : '')),
    );
    const allowed = [...new Set(kinds.filter((kind) => kind !== ''))].join(' or ');
    return [
      {
        path: issue.path,
        what:
          allowed === '' ? issue.message : `must be ${allowed}, not ${kindOf(valueAt(value, issue.path))}`,
      },
    ];
  }
  if (issue.code === 'invalid_type') {
    const found = valueAt(value, issue.path);
    const wanted = kindName(issue.expected);
    return [
      {
        path: issue.path,
        what: found === undefined ? `is required (${wanted})` : `must be ${wanted}, not ${kindOf(found)}`,
      },
    ];
  }
  if (issue.code === 'invalid_value') {
    return [
      {
        path: issue.path,
        what: `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`,
      },
    ];
  }
  if (issue.code === 'too_small' || issue.code === 'too_big')
    return [{ path: issue.path, what: boundName(issue) }];
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element') {
    return issue.issues.flatMap((it) =>
      describe(schema, value, { ...it, path: [...issue.path, ...it.path] }),
    );
  }
  return [{ path: issue.path, what: issue.message }];
};

const boundName = (issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string => {
  const small = issue.code === 'too_small';
  const bound = Number(small ? issue.minimum : issue.maximum);
  const unit = issue.origin === 'array' ? ' items' : issue.origin === 'string' ? ' characters' : '';
  if (small && bound === 1 && unit !== '') return 'must not be empty';
  if (!issue.inclusive) return `must be ${small ? 'more' : 'less'} than ${bound}${unit}`;
  return `must be at ${small ? 'least' : 'most'} ${bound}${unit}`;
};

const kindNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
  null: 'empty',
};

const kindName = (expected: string): string => kindNames[expected] ?? expected;

const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  return kindNames[typeof value] ?? typeof value;
};

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown => {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = Reflect.get(here, step);
  }
  return here;
};

/** The keys of the object that a schema has at `path`. For a union, the keys of its object. */
const keysAt = (schema: unknown, path: readonly PropertyKey[]): readonly string[] => {
  const [step, ...rest] = path;
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodDefault
  ) {
    return keysAt(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodPipe) return keysAt(schema.in, path);
  if (schema instanceof z.ZodUnion) {
    return schema.options.map((option) => keysAt(option, path)).find((keys) => keys.length > 0) ?? [];
  }
  if (schema instanceof z.ZodArray) return step === undefined ? [] : keysAt(schema.element, rest);
  if (schema instanceof z.ZodRecord) return step === undefined ? [] : keysAt(schema.valueType, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  return step === undefined ? Object.keys(schema.shape) : keysAt(Reflect.get(schema.shape, step), rest);
};
