import { type CheckFinder, step } from './facts.ts';

/** A Python project that declares pytest. The lock file names the environment; without one it is the installed `python3`. */
export const pytest: CheckFinder = {
  name: 'pytest',
  find: ({ names, texts }) => {
    const project = texts.get('pyproject.toml') ?? '';
    const configured =
      /^\[tool\.pytest/m.test(project) ||
      /^\[tool:pytest\]/m.test(texts.get('setup.cfg') ?? '') ||
      /^\[pytest\]/m.test(texts.get('tox.ini') ?? '') ||
      names.has('pytest.ini') ||
      names.has('conftest.py') ||
      /^\s*["']?pytest\b/m.test(
        `${project}\n${texts.get('requirements.txt') ?? ''}\n${texts.get('requirements-dev.txt') ?? ''}`,
      );
    if (!configured) return [];
    const runner = names.has('uv.lock')
      ? ['uv', 'run']
      : names.has('poetry.lock')
        ? ['poetry', 'run']
        : ['python3', '-m'];
    const install = names.has('uv.lock')
      ? [step('install', 'python', ['uv', 'sync', '--locked'])]
      : names.has('poetry.lock')
        ? [step('install', 'python', ['poetry', 'install', '--sync'])]
        : [];
    const ruff = names.has('ruff.toml') || /^\[tool\.ruff/m.test(project);
    const mypy = names.has('mypy.ini') || /^\[tool\.mypy/m.test(project);
    return [
      ...install,
      ...(ruff ? [step('lint', 'python', [...runner, 'ruff', 'check', '.'])] : []),
      ...(mypy ? [step('typecheck', 'python', [...runner, 'mypy', '.'])] : []),
      step('test', 'python', [...runner, 'pytest']),
    ];
  },
};
