import { always, holdBlocks, open, type Shown, type State } from '../stage.ts';
import { addressOf, buyCall } from './trades.ts';

/** Alice buys, for more tokens than there are where it is not held. */
const sent = (name: string, isHeld: boolean): State => ({
  name,
  isAlone: true,
  act: async (stage) => {
    const { chain, url, page, system } = stage;
    const token = await addressOf(url, 'paper-boat');
    const { alice } = chain.accounts;
    if (isHeld) await holdBlocks(stage);
    await chain.rpc('anvil_impersonateAccount', [alice.address]);
    const call = {
      from: alice.address,
      gas: '0x100000',
      ...buyCall(chain, token, alice.address, 20, isHeld ? 0n : 10n ** 30n),
    };
    const hash = (await chain.rpc('eth_sendTransaction', [call])) as string;
    if (!isHeld) await system.caughtUp();
    await open(stage, `/tx/${chain.chain.slug}/${hash}`);
    await page
      .getByText(isHeld ? 'in no block yet' : /reverted|failed/)
      .first()
      .waitFor();
  },
});

/** Of a seeded transaction, which everybody's chains have. */
const toSeeded: State['act'] = async (stage) => {
  const { page } = stage;
  await page.locator('.trades .proof').first().click();
  await page.getByText('What happened').waitFor();
};

const unsentHash = `0x${'0'.repeat(63)}1`;

export const tx: Shown = {
  path: '/token/paper-boat',
  states: [
    { name: 'as it is', act: toSeeded },
    ...always
      .filter(({ answers }) => answers !== undefined)
      .map((state) => ({ ...state, path: `/tx/base-sepolia/${unsentHash}` })),
    { name: 'not there', path: `/tx/base-sepolia/${unsentHash}` },
    sent('sent, in no block yet', true),
    sent('reverted', false),
  ],
};
