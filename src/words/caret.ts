/**
 * SGR parameters of the cell where one types: "not inverse", then "inverse". Every terminal and every reader of frames shows an inverse cell; the
 * writer of frames finds it by this order, which nothing else has, and puts the terminal's own cursor there instead.
 */
export const caretCodes = '27;7';
