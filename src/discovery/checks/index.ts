import { cargo } from './cargo.ts';
import type { CheckFinder } from './facts.ts';
import { goModule } from './go-module.ts';
import { make } from './make.ts';
import { packageScripts } from './package-scripts.ts';
import { pytest } from './pytest.ts';

/** Every check finder, in the order people see their results. `make` comes last, because it only fills gaps. */
export const checkFinders: readonly CheckFinder[] = [packageScripts, cargo, goModule, pytest, make];
