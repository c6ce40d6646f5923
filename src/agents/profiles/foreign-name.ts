/** The backend whose work another program does (`ralph-tui mcp --as ROLE`). No setting names it. */
export const foreignName = 'foreign';
