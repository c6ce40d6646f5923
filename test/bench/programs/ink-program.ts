import { render, Text } from 'ink';
import { createElement } from 'react';

/** The least that a program with Ink shows: one line. */
render(createElement(Text, null, 'one line of Ink'));
