import { createReader, session, signIn } from '@mintage/sdk';
import { always, open, press, type Shown, type State } from '../stage.ts';

export const leaderboard: Shown = {
  path: '/leaderboard',
  states: [
    ...always,
    {
      name: 'own place, a row open',
      who: 'alice',
      act: ({ page }) => page.locator('.ranks summary').first().click(),
    },
    { name: 'seven days', path: '/leaderboard?period=7d' },
  ],
};

/** Goes to an invitation by alice, who has traded enough to invite. */
const invited: State['act'] = async (stage) => {
  const { url, chain, system } = stage;
  const reader = createReader({ baseUrl: url });
  const auth = session(await signIn(reader, chain.accounts.alice));
  const { data } = await createReader({ baseUrl: url, auth }).me({});
  await system.db
    .insertInto('referral_code')
    .values({ network: 'testnet', code_key: 'marlow', code: 'Marlow', user_id: data.userId, created_at: new Date() })
    .onConflict((known) => known.doNothing())
    .execute();
  await open(stage, '/join/marlow');
};

export const join: Shown = {
  path: '/',
  states: [
    { name: 'nobody signed in', act: invited },
    { name: 'signed in', who: 'newcomer', act: invited },
    {
      name: 'entered',
      who: 'newcomer',
      act: async (stage) => {
        await invited(stage);
        await press(stage.page, 'Join');
        await stage.page.getByText('refers you now').waitFor();
      },
    },
    {
      name: 'kept until signed in',
      act: async (stage) => {
        await invited(stage);
        await stage.page.getByText('Sign in and join').click();
        await stage.page.getByText('Without a wallet').waitFor();
      },
    },
    { name: 'no such code', path: '/join/no-such-code' },
    { name: 'loading', path: '/join/no-such-code', answers: 'none' },
    { name: 'error', path: '/join/no-such-code', answers: 'refused' },
  ],
};

export const solvency: Shown = { path: '/solvency', states: always };

export const notFound: Shown = { path: '/token/there-is-no-such-token', states: [{ name: 'as it is' }] };
