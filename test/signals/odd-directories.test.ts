import { expect, test } from 'vitest';
import { mailboxOn, published, scene, watched } from '../helpers/mailbox.ts';

test('reading signals leaves no file open', () => {
  const { disk, mailbox } = scene();
  published(mailbox, { type: 'PAUSE', target: 'ALL' });
  const calls: string[] = [];
  const reader = mailboxOn(watched(disk, (name) => calls.push(name)));
  expect(reader.list()).toHaveLength(1);
  const counted = (name: string): number => calls.filter((call) => call === name).length;
  expect(counted('openRead')).toBeGreaterThan(0);
  expect(counted('close')).toBe(counted('openRead'));
});

test('files of others among the claims are no signals, and hide none', () => {
  const { disk, mailbox } = scene();
  const { id } = published(mailbox, { type: 'PAUSE', target: 'ALL' });
  disk.put('/session/signals/claimed/notes.txt', 'mine');
  expect(mailbox.list().map((entry) => entry.id)).toEqual([id]);
});

test('a publisher makes `tmp` again, but no mailbox that somebody removed', () => {
  const { disk, mailbox, names } = scene();
  disk.rmdir('/session/signals/tmp');
  published(mailbox, { type: 'PAUSE', target: 'ALL' });
  expect(names('inputs')).toHaveLength(1);
  for (const name of names('inputs')) disk.unlink(`/session/signals/inputs/${name}`);
  for (const name of disk.readdir('/session/signals')) disk.rmdir(`/session/signals/${name}`);
  disk.rmdir('/session/signals');
  expect(mailbox.publish({ type: 'PAUSE', target: 'ALL' })).toHaveProperty('code');
  expect(disk.lstat('/session/signals')).toBeNull();
});

test('a defect of the disk is thrown, and taken for no file that cannot be read', () => {
  const { disk, mailbox } = scene();
  published(mailbox, { type: 'PAUSE', target: 'ALL' });
  const broken = watched(disk, (name) => {
    if (name === 'openRead') throw new TypeError('a defect');
  });
  expect(() => mailboxOn(broken).list()).toThrow('a defect');
});
