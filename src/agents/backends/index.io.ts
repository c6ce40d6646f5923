import type { Backend } from '../port.ts';
import { createScriptBackend } from './script/create-script-backend.ts';
import type { ScriptDeps } from './script/script-turn.ts';

/** Every backend this program knows, in the order users see them (architecture.md, How one adds a thing). */
export const createBackends = (deps: ScriptDeps): readonly Backend[] => [createScriptBackend(deps)];
