/** A skill: instructions for an agent in the open format of agentskills.io, a folder with a `SKILL.md`. */
export interface Skill {
  /** The name of its folder. */
  readonly name: string;
  /** What it does and when to use it; at most 1,024 characters. */
  readonly description: string;
  /** `inline`: converses with a person. `fork`: works alone, as the phases of an issue do. */
  readonly context: 'inline' | 'fork';
  /** The tools it wants, as the file names them; `null` without a list. A wish: it never widens a permission preset. */
  readonly allowedTools: readonly string[] | null;
  /** The model it asks for; `null` for the agent's own. */
  readonly model: string | null;
  /** Variables for its agent. A value may name variables of the person's shell as `${RALPH_…}`. */
  readonly env: Readonly<Record<string, string>>;
  /** The words after its name in a usage line, such as `TOPIC`; empty without an argument. */
  readonly argumentHint: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** The instructions: Markdown. */
  readonly body: string;
}

/** The longest name of a skill, in characters. */
const longestName = 64;

/** Why this cannot be the name of a skill, as a clause; `null` for a good one. */
export const wrongName = (name: string): string | null => {
  if (name === '') return 'is empty';
  if (name.length > longestName)
    return `has ${name.length} characters, but at most ${longestName} are allowed`;
  if (!/^[a-z0-9-]+$/.test(name)) return 'may contain only lower-case letters a to z, digits and hyphens';
  if (name.startsWith('-') || name.endsWith('-')) return 'must not begin or end with a hyphen';
  return name.includes('--') ? 'must not contain two hyphens in a row' : null;
};
