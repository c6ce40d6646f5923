import { isForbiddenVariable } from '../../../base/process/forbidden-variable.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The `env` of a command with `${NAME}` and `${NAME:-default}` replaced, `$${NAME}` as the text; or the name that is not set. */
export const expandVariables = (
  env: Readonly<Record<string, string>>,
  known: Environment,
): { readonly env: Readonly<Record<string, string>> } | { readonly missing: string; readonly in: string } => {
  const expanded: Record<string, string> = {};
  for (const [key, value] of Object.entries(env)) {
    let missing: string | null = null;
    expanded[key] = value.replaceAll(
      /\$(\$)?\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
      (whole, escaped: string | undefined, name: string, otherwise: string | undefined) => {
        if (escaped !== undefined) return whole.slice(1);
        const found = known[name] ?? otherwise;
        if (found === undefined) missing ??= name;
        return found ?? '';
      },
    );
    if (missing !== null) return { missing, in: key };
  }
  return { env: expanded };
};

/** Variables that a program reads without anybody naming them. */
const readBy: readonly (readonly [program: RegExp, name: RegExp])[] = [
  [/\b(?:kubectl|helm|kustomize|k9s|skaffold)\b/, /^KUBECONFIG$/],
  [/\b(?:aws|terraform|tofu|cdk|sam|sst|pulumi)\b/, /^AWS_/],
  [/\b(?:gcloud|gsutil|bq)\b/, /^(?:CLOUDSDK|GOOGLE)_/],
  [/\b(?:docker|docker-compose)\b/, /^DOCKER_/],
  [/\b(?:psql|pg_dump|createdb)\b/, /^PG[A-Z]+$/],
];

/** Shells set these by themselves. */
const ofShell = /^(?:PWD|OLDPWD|SHLVL|_|RALPH_.*)$/;

/**
 * The variables of the person's own environment that a failed command names, prints or is known to read, and did not get. Nothing that a plan may not set
 * is among them.
 */
export const withheldFrom = (
  command: string,
  output: string,
  person: Environment,
  given: Environment,
): readonly string[] => {
  const isRead = (name: string): boolean =>
    readBy.some(([program, names]) => program.test(command) && names.test(name));
  const isNamed = (name: string): boolean =>
    new RegExp(`(?:\\$\\{?|%|\\benv\\.|\\benviron\\[["'])${name}(?![A-Za-z0-9_])`).test(command) ||
    // A word alone may be anything in what a program prints.
    ((name.includes('_') || name.length >= 8) &&
      new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_])`).test(output));
  return Object.keys(person)
    .filter(
      (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !ofShell.test(name) && !isForbiddenVariable(name),
    )
    .filter((name) => person[name] !== undefined && person[name] !== '' && given[name] === undefined)
    .filter((name) => isNamed(name) || isRead(name))
    .sort();
};
