import { expect, it } from 'vitest';
import { opensToOthers } from './openToOthers.ts';

const [root, service] = [0, 1000];

it('default: a key file is for its owner alone', () => {
  expect(opensToOthers({ mode: 0o100600, uid: service }, service)).toBe(false);
  expect(opensToOthers({ mode: 0o100640, uid: service }, service)).toBe(true);
  expect(opensToOthers({ mode: 0o100640, uid: root }, root)).toBe(true);
});

it('behavior: what root hands to a service may be read by its group, and by nobody else', () => {
  expect(opensToOthers({ mode: 0o100440, uid: root }, service)).toBe(false);
  expect(opensToOthers({ mode: 0o100460, uid: root }, service)).toBe(true);
  expect(opensToOthers({ mode: 0o100444, uid: root }, service)).toBe(true);
});
