import { describe, expect, it } from 'vitest';
import { ownPath } from './ownPath.ts';

describe('ownPath', () => {
  it.each(['/', '/create', '/token/boat?side=sell&amount=1#facts', '/?stage=new'])('takes %s', (path) =>
    expect(ownPath(path)).toBe(path),
  );
  it.each([
    null,
    '',
    'create',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '\u0000/create',
  ])('does not follow %j', (path) => expect(ownPath(path)).toBe(null));
});
