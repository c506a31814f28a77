import { authorizeUrl, discover, newPkce, register } from '../../../packages/server/test/api/oauth/oauthFixture.ts';
import { addPasskeys } from '../people.ts';
import { open, press, type Shown, type Stage } from '../stage.ts';

/** As an assistant leads there that asks for everything. */
const begin = async ({ page, system }: Stage): Promise<void> => {
  await addPasskeys(page);
  const resource = `${system.config.publicUrl}/functions/v1/mcp`;
  const { server } = await discover(resource);
  const redirect_uri = 'http://127.0.0.1:7777/callback';
  const { client_id } = await register(server, { client_name: 'Claude', redirect_uris: [redirect_uri] });
  const code_challenge = newPkce().challenge;
  const scope = 'read prepare execute';
  await page.goto(authorizeUrl(server, { client_id, resource, code_challenge, scope, redirect_uri }));
};

const consent = async (stage: Stage): Promise<void> => {
  await begin(stage);
  await press(stage.page, 'Create an account with a passkey');
  await stage.page.getByText('Signed in as').waitFor();
};

const withBudget = async (stage: Stage): Promise<void> => {
  await consent(stage);
  await stage.page.getByText('Execute transactions').click();
};

/** The pages on which an application is allowed; they are the server's own. */
export const oauth: Shown = {
  path: '/',
  states: [
    { name: 'sign-in', act: begin },
    { name: 'consent', act: consent },
    { name: 'consent with a budget', act: withBudget },
    {
      name: 'consent without the budget it needs',
      act: async (stage) => {
        await withBudget(stage);
        await press(stage.page, 'Allow');
        await stage.page.getByRole('alert').waitFor();
      },
    },
    {
      name: 'an application in the account',
      act: async (stage) => {
        await withBudget(stage);
        await stage.page.getByLabel('USD a trade').fill('20');
        await stage.page.getByLabel('USD a day').fill('100');
        await press(stage.page, 'Allow');
        await stage.page.waitForURL('http://127.0.0.1:7777/**').catch(() => undefined);
        await open(stage, '/account');
        await press(stage.page, 'Sign in with a passkey');
        await stage.page.getByText('Claude').waitFor();
      },
    },
    { name: 'error', path: '/functions/v1/oauth/authorize?client_id=nobody&response_type=code' },
  ],
};
