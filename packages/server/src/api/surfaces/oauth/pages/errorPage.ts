import type { Config } from '../../../../config.ts';
import { html } from './html.ts';
import { type Page, page } from './page.ts';

/** @param reason - One sentence without its full stop; it may quote the request, and is escaped. */
export const errorPage = (config: Config, reason: string): Page =>
  page({
    config,
    title: `${config.platformName}: this did not work`,
    body: html`<h1>This connection cannot be made</h1>
<p>${reason.charAt(0).toUpperCase() + reason.slice(1)}.</p>
<p class="soft">Nothing was allowed. Go back to the application and connect again.</p>`,
  });
