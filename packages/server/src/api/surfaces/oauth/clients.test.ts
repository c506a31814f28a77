import { describe, expect, it } from 'vitest';
import { isAllowedRedirect, redirectHostOf } from './clients.ts';

describe('isAllowedRedirect', () => {
  it.each([
    'https://app.example/callback?next=1',
    'http://127.0.0.1:4000/callback',
    'http://localhost/callback',
    'cursor://anysphere.cursor/callback',
    'com.example.app:/callback',
    'com.example.app:/oauth2redirect/example-provider',
    'com.example.app://callback',
  ])('default: %s', (uri) => {
    expect(isAllowedRedirect(uri)).toBe(true);
  });

  it.each([
    'http://app.example/callback',
    'https:/app.example/callback',
    'https:app.example',
    'javascript:alert(1)',
    'javascript:/alert(1)',
    'data:/text/html,hello',
    'com.example.app:callback',
    'example:/callback',
    'com.example.app:/callback#fragment',
    'https://user:password@app.example/',
    'com.example.app:\\callback',
  ])('error: %s', (uri) => {
    expect(isAllowedRedirect(uri)).toBe(false);
  });
});

describe('redirectHostOf', () => {
  it('default: a host, or the scheme of an application', () => {
    expect(redirectHostOf('https://app.example:8443/callback')).toBe('app.example:8443');
    expect(redirectHostOf('com.example.app:/callback')).toBe('com.example.app://');
  });
});
