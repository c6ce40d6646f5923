/** Stands in for `react-devtools-core`, which Ink imports only when `DEV` is set and which the program does not carry. */
const devtools = { initialize: (): void => {}, connectToDevTools: (): void => {} };

export default devtools;
