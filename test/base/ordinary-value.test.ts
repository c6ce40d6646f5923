import { expect, test } from 'vitest';
import { isOrdinary } from '../../src/base/secrets/ordinary-value.ts';

test.each([
  'postgres',
  'production',
  'Development',
  'localhost',
  'changeme123',
  'us-east-1',
  'dev-secret',
  'osxkeychain',
  'your-api-key-here',
  '<your token>',
  'xxxxxxxxxxxx',
  '/home/kim/keys/deploy.json',
  '~/.config/gcloud/credentials.json',
  'https://auth.example.com/token',
])('%s is an ordinary word: text that contains it is left whole', (value) => {
  expect(isOrdinary(value)).toBe(true);
});

test.each([
  'hunter2hunter2',
  'v3ry-pr1vate-value',
  'correct-horse-battery',
  'correct horse battery',
  'qwzxkvjhgfptbn',
  'dfGhTyUiOp',
  'summer2024!',
  '4815162342',
  'c0ffee00c0ffee00',
  '/9j/4AAQSkZJRgABAQEAYABgAAD',
  'https://hooks.example.com/services/T01AB2C3D/B04EF5G6H/abcdefGHIJKL123456',
  'correcthorsebatterystaple',
])('%s is a secret', (value) => {
  expect(isOrdinary(value)).toBe(false);
});
