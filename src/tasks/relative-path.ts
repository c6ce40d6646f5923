/**
 * The fault of a foreign path that must stay inside a root, or `null`: no absolute path, no `..` out of it, no control characters.
 * The code that opens the file must check symbolic links.
 */
export const pathProblem = (path: string): string | null => {
  if (path === '') return 'must not be empty';
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'must not contain control characters';
  if (/^([/\\~]|[A-Za-z]:)/.test(path)) return 'must be relative';
  let depth = 0;
  for (const step of path.split(/[/\\]/)) {
    if (step === '..') depth -= 1;
    else if (step !== '' && step !== '.') depth += 1;
    if (depth < 0) return 'must stay inside';
  }
  return null;
};
