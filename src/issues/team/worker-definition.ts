import { parseFrontMatter } from '../../tasks/front-matter.ts';
import type { FlowRole } from '../task-list/task-phase.ts';

/** What a worker of a role is and may do: Markdown with front matter, as agents of other programs have it. Agent and model come from the settings. */
export interface WorkerDefinition {
  /** `ralph-builder`. */
  readonly name: string;
  /** Kinds of requests that its tools make; others are refused. */
  readonly kinds: readonly ToolKind[];
  readonly body: string;
}

type ToolKind = 'read' | 'edit' | 'command' | 'network';

/** The four names under which definitions are looked for. */
export const definitionName = (role: FlowRole): string => `ralph-${role}`;

/** Folders of the workspace with definitions, the strongest first. */
export const definitionFolders = ['.ralph/agents', '.claude/agents'] as const;

/** Known tools by the kind of request that they make. Others (our own, those of servers) make none of these kinds. */
const kindOf: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  Glob: 'read',
  Grep: 'read',
  LS: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Bash: 'command',
  WebFetch: 'network',
  WebSearch: 'network',
};

const allKinds: readonly ToolKind[] = ['read', 'edit', 'command', 'network'];

export const isToolKind = (kind: string): kind is ToolKind => allKinds.some((each) => each === kind);

/** Reads a definition; a problem is a sentence, and then there is no value: a worker with unknown limits does not start. */
export const parseWorkerDefinition = (
  text: string,
  name: string,
):
  | { readonly value: WorkerDefinition; readonly problem: null }
  | { readonly value: null; readonly problem: string } => {
  const { value: matter, problems } = parseFrontMatter(text, name);
  if (matter.yaml === null || problems.length > 0) return refused('has no readable front matter');
  const { name: own, description, tools } = matter.data;
  if (own !== name) return refused(`is named ${JSON.stringify(own ?? '')}, not ${name}`);
  if (typeof description !== 'string' || description.trim() === '') return refused('has no description');
  const listed = toolsOf(tools);
  if (listed === 'broken') return refused('has a `tools` value that is not a list of names');
  if (matter.body.trim() === '') return refused('has no text below its front matter');
  return {
    value: {
      name,
      kinds:
        listed === null
          ? allKinds
          : allKinds.filter((kind) => listed.some((tool) => kindOf[base(tool)] === kind)),
      body: matter.body.trim(),
    },
    problem: null,
  };
};

const refused = (problem: string) => ({ value: null, problem });

/** `Bash(git log:*)` is a Bash. */
const base = (tool: string): string => tool.split('(')[0] ?? tool;

/** A list, or names with commas. */
const toolsOf = (value: unknown): readonly string[] | null | 'broken' => {
  if (value === undefined || value === null) return null;
  const items: unknown = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(items)) return 'broken';
  const names = items.flatMap((item) =>
    typeof item === 'string' && item.trim() !== '' ? [item.trim()] : [],
  );
  return names.length === items.length ? names : 'broken';
};
