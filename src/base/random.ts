/** Random names. Implementations: `random.io.ts` (crypto), `test/helpers/seeded-random.ts`. */
export interface Random {
  /** `length` lower-case hexadecimal digits. */
  hex(length: number): string;
}
