import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { consentPage } from '../../../../../src/api/surfaces/oauth/pages/consentPage.ts';
import { errorPage } from '../../../../../src/api/surfaces/oauth/pages/errorPage.ts';
import { html } from '../../../../../src/api/surfaces/oauth/pages/html.ts';
import type { Page } from '../../../../../src/api/surfaces/oauth/pages/page.ts';
import { signInPage } from '../../../../../src/api/surfaces/oauth/pages/signInPage.ts';
import { configFromEnv } from '../../../../../src/config.ts';

const config = configFromEnv({ PLATFORM_NAME: 'Acme Pad' });
const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&`;
const application = { name: hostile, redirectHost: hostile, publishedBy: hostile };
const path = '/functions/v1/oauth/interaction/abc';
const redirectUri = 'https://assistant.example/callback';
const form = { scopes: [hostile], chains: [hostile], perTradeUsd: hostile, perDayUsd: hostile };
const consent = (uri = redirectUri) =>
  consentPage({
    config,
    application,
    path,
    signedIn: hostile,
    asked: ['read', 'prepare', 'execute'],
    chains: [{ slug: 'base-sepolia', name: hostile }],
    form,
    problem: hostile,
    redirectUri: uri,
  });

const pages: Record<string, () => Page> = {
  signInPage: () => signInPage({ config, application, path, redirectUri, hasPasskeys: false, problem: hostile }),
  'signInPage with passkeys': () =>
    signInPage({ config, application, path, redirectUri, hasPasskeys: true, problem: hostile }),
  'signInPage in a colour': () =>
    signInPage({ config: { ...config, brandColor: '#3355ff' }, application, path, redirectUri, hasPasskeys: true }),
  consentPage: consent,
  errorPage: () => errorPage(config, hostile),
};

const policyOf = ({ headers }: Page): Map<string, string> =>
  new Map(
    (headers['content-security-policy'] as string).split('; ').map((part) => part.split(/ (.*)/) as [string, string]),
  );

/** The hash of a script as the content policy names it. */
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const blocks = (text: string, tag: string) =>
  [...text.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map((match) => match[1] as string);

describe.each(Object.entries(pages))('%s', (_name, make) => {
  it('behavior: what strangers wrote is text', () => {
    const { html: text } = make();
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('<img');
    expect(text).toContain('&lt;script&gt;');
  });

  it('behavior: runs its own script alone, loads nothing, is never framed', () => {
    const page = make();
    const policy = policyOf(page);
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(policy.get('base-uri')).toBe("'none'");
    expect(page.headers['x-frame-options']).toBe('DENY');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(blocks(page.html, 'style').map(hashOf)).toEqual([policy.get('style-src')]);
    const scripts = blocks(page.html, 'script').map(hashOf);
    expect(scripts).toEqual(policy.has('script-src') ? [policy.get('script-src')] : []);
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    // The one link leads to the user's own account. Checks outside of quotes; all text from strangers is inside quotes.
    const loading = page.html.replace(`<a href="${config.appUrl}/account"`, '<a');
    expect(loading.replace(/"[^"]*"/g, `""`)).not.toMatch(/<[a-z][^>]* (style|src|href|on\w+)=/);
  });
});

it('behavior: of pictures the deployment’s logo alone, from here', () => {
  const own = { ...config, brandLogo: '/logo.svg', publicUrl: 'https://acme.example/pad' };
  const page = errorPage(own, 'no');
  expect(page.html).toContain('<img src="/pad/icon.svg" alt=""');
  expect(policyOf(page).get('img-src')).toBe("'self'");
  expect(policyOf(errorPage(config, 'no')).has('img-src')).toBe(false);
});

it.each([
  [redirectUri, "'self' https://assistant.example"],
  ['http://127.0.0.1:7777/callback', "'self' http://127.0.0.1:7777"],
  ['http://[::1]:7777/callback', "'self' http:"],
  ['cursor://anysphere.cursor/callback', "'self' cursor:"],
])('behavior: after consent to %s a form may lead to %s', (uri, source) => {
  expect(policyOf(consent(uri)).get('form-action')).toBe(source);
});

it('html: strings are escaped, markup is not, null is nothing', () => {
  expect(html`<p title="${`"'&<>`}">${html`<b>${'<'}</b>`}${null}${[html`1`, html`2`]}</p>`.text).toBe(
    '<p title="&quot;&#39;&amp;&lt;&gt;"><b>&lt;</b>12</p>',
  );
});
