import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greet } from '../greetings/greet.mjs';

test('greets by name', () => assert.equal(greet('Kim'), 'Hello, Kim!'));
