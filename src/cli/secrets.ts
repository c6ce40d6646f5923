/** Names of variables that hold a secret, of any program. */
const telling =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL|_PAT$|_PWD$|(?:^|_)AUTH(?:ORIZATION)?$/i;

/** Values of variables whose names suggest a secret. Short values are left out: they would blank ordinary words. */
export const secretsOf = (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(env).flatMap(([name, value = '']) =>
    telling.test(name) && value.length >= 8 ? [value] : [],
  );
