import type { Config } from '../../../../config.ts';
import type { UserScope } from '../../../accounts/caller.ts';
import { html } from './html.ts';
import { type Page, page } from './page.ts';
import { type Application, applicationLines } from './signInPage.ts';

/** The submitted form, as it was typed. */
export interface ConsentForm {
  scopes: readonly string[];
  /** Slugs. */
  chains: readonly string[];
  /** Dollars such as `25` or `12.50`; so in the next, of a day in UTC. */
  perTradeUsd: string;
  perDayUsd: string;
}

export interface ConsentView {
  config: Config;
  application: Application;
  /** The path of this interaction. */
  path: string;
  /** The wallet or the account that is signed in, as people read it. */
  signedIn: string;
  /** Scopes that the application asks for; nothing else is offered. */
  asked: readonly UserScope[];
  chains: readonly { slug: string; name: string }[];
  form: ConsentForm;
  /** What is wrong with the form. */
  problem?: string;
  redirectUri: string;
}

const words: Readonly<Record<UserScope, { title: string; text: string }>> = {
  read: { title: 'Read your account', text: 'Balances, holdings, fees, history. It can change nothing.' },
  prepare: {
    title: 'Prepare transactions',
    text: 'For you to check and sign in your own wallet. Nothing happens without your signature.',
  },
  execute: {
    title: 'Execute transactions',
    text: 'It trades and creates tokens from your embedded wallet without asking you each time, within the budget below.',
  },
  social: {
    title: 'Speak for you',
    text: 'It changes your profile, posts, votes and follows in your name. It cannot spend anything.',
  },
};

/** Second page: what the application may do. What acts in the user's name is never preselected, and a budget must be typed. */
export const consentPage = (view: ConsentView): Page => {
  const { config, application, path, signedIn, asked, chains, form, problem, redirectUri } = view;
  return page({
    config,
    title: `${config.platformName}: what may this application do?`,
    redirectUri,
    body: html`<h1>What may this application do?</h1>
${applicationLines(application)}
<form method="post" action="${path}/sign-out"><p class="soft">Signed in as ${signedIn}
<button class="plain">use another account</button></p></form>
${problem === undefined ? null : html`<p class="bad" role="alert">${problem}</p>`}
<form method="post" action="${path}/consent">
<fieldset>
${asked.map(
  (scope) => html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${checked(
    form.scopes.includes(scope),
  )}>
<span><b>${words[scope].title}</b><small>${words[scope].text}</small></span></label>`,
)}
</fieldset>
${
  asked.includes('execute')
    ? html`<fieldset class="budget">
<h2>Budget</h2>
<div class="money">
<label>USD a trade<input name="perTradeUsd" inputmode="decimal" autocomplete="off" value="${form.perTradeUsd}"></label>
<label>USD a day<input name="perDayUsd" inputmode="decimal" autocomplete="off" value="${form.perDayUsd}"></label>
</div>
<p><small>The most that it can spend from your embedded wallet. A day ends at midnight UTC.</small></p>
<h2>On these chains</h2>
<div class="chains">
${chains.map(
  ({ slug, name }) =>
    html`<label><input type="checkbox" name="chain" value="${slug}"${checked(form.chains.includes(slug))}>${name}</label>`,
)}
</div>
</fieldset>`
    : null
}
<div class="buttons pair">
<button class="first" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Cancel</button>
</div>
<p class="soft">You can end this at any time in <a href="${config.appUrl}/account" target="_blank" rel="noopener">your account</a>. It ends by itself after 90 days.</p>
</form>`,
  });
};

const checked = (isChecked: boolean) => (isChecked ? html` checked` : null);
