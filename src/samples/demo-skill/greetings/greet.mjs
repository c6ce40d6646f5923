/** Greets somebody. */
export const greet = (name) => `Hello, ${name}!`;
