import type { Rule } from '../facts.ts';
import { cargo } from './cargo.ts';
import { goModule } from './go-module.ts';
import { make } from './make.ts';
import { packageScripts } from './package-scripts.ts';
import { pytest } from './pytest.ts';

/** Every scanner rule, in the order people see what they found; `make` comes last, because it only fills gaps. */
export const rules: readonly Rule[] = [packageScripts, cargo, goModule, pytest, make];
