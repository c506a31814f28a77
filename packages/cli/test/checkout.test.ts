import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findCheckout } from '../src/commands/checkout.ts';

let root: string;
let below: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'mintage-checkout-')));
  below = join(root, 'docs/guides');
  for (const folder of ['packages/devnet', 'scripts', 'docs/guides'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"name":"mintage"}');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

describe('findCheckout', () => {
  it('default: the folder itself, and the nearest one above', () => {
    expect(findCheckout(root)).toBe(root);
    expect(findCheckout(below)).toBe(root);
    expect(findCheckout(tmpdir())).toBeNull();
  });

  it('error: one above that belongs to somebody else is not run; the folder one stands in is, as by npm', () => {
    if (process.getuid === undefined) return;
    vi.spyOn(process, 'getuid').mockReturnValue(process.getuid() + 1);
    expect(() => findCheckout(below)).toThrow('a checkout of somebody else');
    expect(findCheckout(root)).toBe(root);
  });

  it.runIf(process.getuid?.() === 0)('error: only its scripts belong to somebody else', () => {
    chownSync(join(root, 'scripts'), 12345, 12345);
    expect(() => findCheckout(below)).toThrow('a checkout of somebody else');
  });

  it.each(['{', 'null', '[]', '{"name":5}'])('behavior: a manifest that is %s is of something else', (text) => {
    writeFileSync(join(root, 'package.json'), text);
    expect(findCheckout(below)).toBeNull();
  });
});
