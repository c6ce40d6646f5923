import { isAbsolute } from 'node:path';
import { isRecord, objectFromJson } from '../../base/json.ts';
import type { Finding } from '../records/finding.ts';
import { type Probe, type ProbeContext, probeFinding } from './probe.ts';
import { compareVersions, type WantedTool, wantedTools } from './wanted-tools.ts';

const name = 'env-scanner';

/** Checks interpreters and package managers that the manifests require, installed packages, and virtual environments. */
export const envScanner: Probe = {
  name,
  find: async (context) => {
    const tools = await Promise.all(wantedTools(context.read).map((wanted) => lookAt(context, wanted)));
    return [...tools.flat(), ...installed(context), ...virtualEnvironment(context)];
  },
};

const lookAt = async (context: ProbeContext, wanted: WantedTool): Promise<readonly Finding[]> => {
  const [first = ''] = wanted.programs;
  for (const program of wanted.programs) {
    const { exit, out, error } = await context.tool([program, program === 'go' ? 'version' : '--version']);
    if (exit.kind === 'not-started') continue;
    const version = /(\d+(?:\.\d+)+)/.exec(`${out}\n${error}`)?.[1] ?? null;
    if (wanted.least === null || version === null || compareVersions(version, wanted.least) >= 0) return [];
    return [
      probeFinding(name, {
        category: 'tool_version',
        severity: wanted.kind === 'interpreter' ? 'high' : 'medium',
        value: program,
        file: wanted.file,
        description: `${program} ${version} is older than ${wanted.file} requires (${wanted.least})`,
        recommendation: `Install ${program} ${wanted.least} or newer: ${wanted.install}`,
      }),
    ];
  }
  return [
    probeFinding(name, {
      category: 'tool_missing',
      severity: wanted.kind === 'interpreter' ? 'high' : 'medium',
      value: first,
      file: wanted.file,
      description: `${first} is not installed, but ${wanted.file} needs it`,
      recommendation: `Install ${first}: ${wanted.install}`,
    }),
  ];
};

const installed = ({ read, has }: ProbeContext): readonly Finding[] => {
  const text = read('package.json');
  if (text === null || has('node_modules') || has('.pnp.cjs') || !asksForPackages(text)) return [];
  return [
    probeFinding(name, {
      category: 'not_installed',
      severity: 'medium',
      value: 'node_modules',
      file: 'package.json',
      description: 'The packages in package.json are not installed',
      recommendation: 'Install them before the session, or make that the first task',
    }),
  ];
};

const asksForPackages = (text: string): boolean => {
  const manifest = objectFromJson(text);
  return ['dependencies', 'devDependencies'].some((key) => {
    const packages = manifest[key];
    return isRecord(packages) && Object.keys(packages).length > 0;
  });
};

/** Reports a `.venv` whose interpreter is gone, and an active one of another project. */
const virtualEnvironment = ({ ports, place, read, has }: ProbeContext): readonly Finding[] => {
  const config = read('.venv/pyvenv.cfg');
  const base = /^home\s*=\s*(.+)$/m.exec(config ?? '')?.[1]?.trim() ?? null;
  const active = ports.env['VIRTUAL_ENV'] ?? null;
  const isPython = has('pyproject.toml') || has('requirements.txt') || has('setup.py');
  return [
    ...(base !== null && isAbsolute(base) && ports.disk.lstat(base) === null
      ? [
          probeFinding(name, {
            category: 'virtual_environment',
            severity: 'medium',
            value: '.venv',
            file: '.venv/pyvenv.cfg',
            description: 'The interpreter of .venv no longer exists',
            recommendation: 'Recreate the virtual environment',
          }),
        ]
      : []),
    ...(active !== null && isPython && !active.startsWith(`${place.projectDir}/`)
      ? [
          probeFinding(name, {
            category: 'virtual_environment',
            severity: 'low',
            value: 'VIRTUAL_ENV',
            description: 'The active virtual environment belongs to another directory',
            recommendation: 'Deactivate it before the session',
          }),
        ]
      : []),
  ];
};
