import { expect, test } from 'vitest';
import { nearestSlug } from './nearestSlug.ts';

test.each([
  ['bsae', 'base'],
  ['Base', 'base'],
  [' base-seplia ', 'base-sepolia'],
  ['base sepolia', 'base-sepolia'],
  ['etherium', 'ethereum'],
  ['arbitrum1', 'arbitrum'],
  ['mars', null],
  ['', null],
  ['x'.repeat(65), null],
])('nearestSlug: %j', (written, slug) => {
  expect(nearestSlug(written)).toBe(slug);
});
