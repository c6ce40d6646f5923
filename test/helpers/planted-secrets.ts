/** Every export has to be without these; put together here, so that no file of ours holds a key. */
const letters = 'Q7wErTy2uIoP9aSdFgH4jKlZxCvB1nM0';

/** One secret of each form, different for each number. The part behind the form is what may never be seen. */
export const secretOf = (number: number): { readonly text: string; readonly secret: string } => {
  const own = `${letters}${String(number).padStart(6, '0')}`;
  const forms: readonly ((own: string) => readonly [text: string, secret: string])[] = [
    (part) => [`key sk-ant-${part} end`, part],
    (part) => [`ghp_${part}`, part],
    (part) => [`github_pat_${part}`, part],
    (part) => [`glpat-${part}`, part],
    (part) => [`xoxb-${part}`, part],
    (part) => [`Authorization: Bearer ${part}`, part],
    (part) => [`git clone https://kim:${part}@example.org/repo`, part],
    (part) => [`AIza${part.slice(-35)}`, part.slice(-35)],
    (part) => [`-----BEGIN RSA PRIVATE KEY-----\nMII${part}\n-----END RSA PRIVATE KEY-----`, part],
    (part) => [`sk-\u200b${part}`, part],
    (part) => [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx${part}.${part}`, part],
    (part) => [`sk_live_${part}`, part],
    (part) => [`hf_${part}`, part],
    (part) => [`curl https://example.org/v1?api_key=${part}&page=2`, part],
    (part) => [`Authorization: Basic ${part}`, part],
    (part) => [`//registry.example.org/:_authToken=${part}`, part],
    (part) => [`aws_secret_access_key = ${part}`, part],
    (part) => [`{"password":"${part}"}`, part],
    (part) => [`DB_PASSWORD=${part}`, part],
    (part) => [`https://${part}@example.org/repo`, part],
    (part) => [`https://kim:a@${part}:b@example.org/repo`, part],
  ];
  const [text, secret] = forms[number % forms.length]?.(own) ?? ['', own];
  return { text, secret };
};
