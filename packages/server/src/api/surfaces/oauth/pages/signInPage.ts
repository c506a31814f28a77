import type { Config } from '../../../../config.ts';
import { walletScript } from './evm/walletScript.ts';
import { html } from './html.ts';
import { type Page, page } from './page.ts';
import { passkeyScript } from './passkeyScript.ts';
import { sayScript } from './sayScript.ts';

/** The requesting application, in words that a stranger may have chosen. */
export interface Application {
  name: string;
  /** Host or scheme that the user is redirected to afterwards. */
  redirectHost: string;
  /** Host that publishes the application's description; null when it registered itself. */
  publishedBy: string | null;
}

export interface SignInView {
  config: Config;
  application: Application;
  /** The path of this interaction. */
  path: string;
  redirectUri: string;
  /** Whether browsers let this page use the passkeys of the web app. */
  hasPasskeys: boolean;
  /** Why an earlier attempt failed. */
  problem?: string;
}

/** First page: who the user is. The text that a wallet signs says what it is for. */
export const signInPage = ({ config, application, path, redirectUri, hasPasskeys, problem }: SignInView): Page =>
  page({
    config,
    title: `Sign in to ${config.platformName}`,
    script: sayScript + (hasPasskeys ? passkeyScript : '') + walletScript,
    redirectUri,
    body: html`<h1>Sign in to ${config.platformName}</h1>
<p>An application wants to use ${config.platformName} for you. Sign in first; then you choose what it may do.</p>
${applicationLines(application)}
${problem === undefined ? null : html`<p class="bad" role="alert">${problem}</p>`}
<p id="say" class="soft" role="status">Signing in costs nothing and sends no transaction.</p>
<noscript><p class="bad">Signing in needs JavaScript.</p></noscript>
${hasPasskeys ? passkeyForm(path) : null}
<form id="wallet" method="post" action="${path}/sign-in">
<input type="hidden" name="message">
<input type="hidden" name="signature">
<div class="buttons"><button${hasPasskeys ? null : html` class="first"`} type="submit">Sign in with wallet</button></div>
</form>
<form method="post" action="${path}/consent">
<div class="buttons"><button class="bare" name="decision" value="deny">Cancel</button></div>
</form>`,
  });

/** Shown by its script where the browser has passkeys. */
const passkeyForm = (path: string) => html`<form id="passkey" method="post" action="${path}/passkey" hidden>
<input type="hidden" name="purpose">
<input type="hidden" name="credential">
<div class="buttons">
<button class="first" type="submit" value="login">Sign in with passkey</button>
<button type="submit" value="register">Create an account with a passkey</button>
</div>
</form>`;

export const applicationLines = ({ name, redirectHost, publishedBy }: Application) => html`<dl>
<dt>Calls itself</dt><dd>“<bdi>${name}</bdi>”</dd>
<dt>${publishedBy === null ? 'Registered' : 'Published by'}</dt><dd>${publishedBy ?? 'by itself'}</dd>
<dt>Leads you to</dt><dd>${redirectHost}</dd>
</dl>
<p class="note">Nobody checked the name. Go on only if you just started this yourself, in an application that you trust.</p>`;
