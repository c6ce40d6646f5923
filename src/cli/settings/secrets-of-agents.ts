import { z } from 'zod';
import type { Layer } from '../../session/config.ts';
import { secretsOf } from '../secrets.ts';

/** Values that agents of a configuration get under a name that suggests a secret (`agents.<name>.env`). */
export const secretsOfAgents = (layers: readonly Layer[]): readonly string[] =>
  layers
    .flatMap(({ values }) => Object.values(values.agents ?? {}))
    .flatMap((agent) => secretsOf(envSchema.safeParse(agent).data?.env ?? {}));

const envSchema = z.object({ env: z.record(z.string(), z.string()) });
