import { join } from 'node:path';
import { diskCode } from '../../base/disk.ts';
import { fromJson, isRecord } from '../../base/json.ts';
import { readText } from '../../base/replace-file.ts';
import { parseConfig } from '../../session/config.ts';
import type { Finding } from '../records/finding.ts';
import { type Probe, type ProbeContext, probeFinding } from './probe.ts';

const name = 'config-discovery';

/** Checks settings of agents, our own configuration, and variables that change which code runs. Only reads. */
export const configDiscovery: Probe = {
  name,
  find: (context) =>
    Promise.resolve([
      ...projectSettings.flatMap((file) => brokenJson(context, file)),
      ...userHooks(context),
      ...ownConfiguration(context),
      ...variables(context),
    ]),
};

const projectSettings = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.gemini/settings.json',
  '.mcp.json',
];

const brokenJson = ({ read }: ProbeContext, file: string): readonly Finding[] => {
  const text = read(file);
  if (text === null || text.trim() === '' || isJson(text)) return [];
  return [
    probeFinding(name, {
      category: 'agent_settings',
      severity: 'medium',
      value: file,
      file,
      description: `${file} is not JSON: the agent ignores it or does not start`,
      recommendation: `Correct ${file}`,
    }),
  ];
};

const isJson = (text: string): boolean => parse(text) !== undefined;

/** These programs allow comments and trailing commas in their settings. */
const parse = (text: string): unknown => {
  const plain = text
    .replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*.*?\*\//gs, (found) => (found.startsWith('"') ? found : ''))
    .replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/gs, (found) => (found === ',' ? '' : found));
  return fromJson(plain);
};

/** Hooks in the user's own settings run beside every agent, in every workspace. */
const userHooks = ({ ports, home }: ProbeContext): readonly Finding[] =>
  ['.claude/settings.json', '.gemini/settings.json'].flatMap((file) => {
    const value = parse(textOrNull(ports.disk, join(home, file)) ?? 'null');
    const hooks = isRecord(value) ? value['hooks'] : undefined;
    if (!isRecord(hooks) || Object.keys(hooks).length === 0) return [];
    return [
      probeFinding(name, {
        category: 'foreign_hook',
        severity: 'low',
        value: `~/${file}`,
        description: `Hooks from your own settings (~/${file}) run with every agent: ${Object.keys(hooks).slice(0, 5).join(', ')}`,
        recommendation: 'Expect them to change or refuse what an agent does',
      }),
    ];
  });

const ownConfiguration = ({ read, has }: ProbeContext): readonly Finding[] => {
  const file = '.ralph/config.yaml';
  const text = read(file);
  const checked = text === null ? null : parseConfig(text, file, 'workspace');
  const [fault] = checked?.ok === false ? checked.faults : [];
  const plugin = '.claude/ralph-config.json';
  return [
    ...(fault === undefined
      ? []
      : [
          probeFinding(name, {
            category: 'configuration',
            severity: 'medium',
            value: file,
            file,
            description: `${fault.where ?? file}: ${fault.what}`,
            recommendation: 'Run `ralph-tui config check` and correct the configuration',
          }),
        ]),
    ...(has(plugin) && !has('.ralph/guidance.yaml')
      ? [
          probeFinding(name, {
            category: 'configuration',
            severity: 'low',
            value: plugin,
            file: plugin,
            description: `${plugin} contains settings and guidance that are not used here`,
            recommendation: `Run \`ralph-tui config import ${plugin}\``,
          }),
        ]
      : []),
  ];
};

const telling = [
  'NODE_OPTIONS',
  'NODE_PATH',
  'PYTHONPATH',
  'PYTHONHOME',
  'PYTHONSTARTUP',
  'RUBYOPT',
  'JAVA_TOOL_OPTIONS',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'BASH_ENV',
];

/** Reports only names, because a value may be a secret. Our own children do not get these variables. */
const variables = ({ ports }: ProbeContext): readonly Finding[] =>
  telling
    .filter((variable) => (ports.env[variable] ?? '') !== '')
    .map((variable) =>
      probeFinding(name, {
        category: 'environment_variable',
        severity: 'medium',
        value: variable,
        description: `${variable} is set: tools may behave differently here than in CI`,
        recommendation: `Unset ${variable} for the session unless the project needs it`,
      }),
    );

const textOrNull = (disk: ProbeContext['ports']['disk'], path: string): string | null => {
  try {
    return readText(disk, path, 1_048_576);
  } catch (error) {
    if (diskCode(error) !== '') return null;
    throw error;
  }
};
