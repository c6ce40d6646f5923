import { z } from 'zod';
import { late } from '../base/memoise.ts';
import { settingTable } from './settings/index.ts';
import { nestKeys } from './settings/nest-keys.ts';

type Entry = (typeof settingTable)[number];
/** Values by dotted key. */
type Values = { readonly [K in Entry['key']]: z.output<Extract<Entry, { readonly key: K }>['schema']> };

type Head<K> = K extends `${infer G}.${string}` ? G : K;
type Rest<K, G extends string> = K extends `${G}.${infer R}` ? R : never;
type Below<V, G extends string> = {
  readonly [R in Rest<keyof V, G>]: V[Extract<`${G}.${R}`, keyof V>];
};

/** `a.b` beside a value of `a`. */
type Beside<K> = { [B in K & string]: Head<B> extends B ? never : Head<B> extends K ? B : never }[K & string];

/** `{'a.b': X}` as `{a: {b: X}}`. */
type Nested<V> = {
  readonly [H in Head<keyof V & string> | Beside<keyof V>]: H extends keyof V ? V[H] : Nested<Below<V, H>>;
};
type NestedPart<V> = {
  readonly [H in Head<keyof V & string> | Beside<keyof V>]?:
    | (H extends keyof V ? V[H] : NestedPart<Below<V, H>>)
    | undefined;
};

/** The settings of a session, typed by the settings table. Durations are milliseconds. */
export type Settings = Nested<Values>;

/** Any part of the settings. */
export type PartialSettings = NestedPart<Values>;

/** Complete settings as stored in a journal. `z.custom` only names the type: both sides derive from the same table. */
export const settingsSchema = late(() =>
  z
    .object(
      nestKeys<z.ZodType>(
        settingTable.map(({ key, schema }) => [key, schema]),
        z.object,
      ),
    )
    .pipe(z.custom<Settings>()),
);

/**
 * The values without any configuration. `situationDefaults` overrides those that depend on the situation. Every default fits its schema as it is, so
 * no start of the program checks them again.
 */
export const defaultSettings: Settings = z.custom<Settings>().parse(
  nestKeys<unknown>(
    settingTable.map((setting) => [setting.key, setting.default]),
    (group) => group,
  ),
);
