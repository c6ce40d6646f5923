/** Names of variables that hold a secret, of any program. */
const telling =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL|_PAT$|_PWD$|(?:^|_)AUTH(?:ORIZATION)?$/i;

/** Whether the name of a variable suggests that it holds a secret. */
export const isSecretName = (name: string): boolean => telling.test(name);
