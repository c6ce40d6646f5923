/** Replaces `react-devtools-core`, which Ink imports only when `DEV` is set and which is not bundled. */
const devtools = { initialize: (): void => {}, connectToDevTools: (): void => {} };

export default devtools;
