import { devAccounts, devKey } from '@mintage/devnet';
import { createReader, signIn } from '@mintage/sdk';
import type { BrowserContext, Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

/** Who looks: somebody who created and traded, or somebody whose account is new. */
export type Who = 'alice' | 'newcomer';

/** Signs somebody in with the demo wallet, as a browser keeps it. */
export const comeAs = async (context: BrowserContext, url: string, who: Who): Promise<void> => {
  const key = who === 'alice' ? devKey('alice') : generatePrivateKey();
  const account = who === 'alice' ? devAccounts().alice : privateKeyToAccount(key);
  const signedIn = (await signIn(createReader({ baseUrl: url }), account)) as object;
  const kept = {
    'mintage session': { ...signedIn, by: 'wallet', address: account.address.toLowerCase() },
    'mintage demo wallet': key,
    'mintage wallet': 'demo.wallet',
  };
  const texts = Object.entries(kept).map(([name, value]) => [name, JSON.stringify(value)]);
  // Once: what the page changes stays changed when it is loaded again.
  await context.addInitScript(
    `if (localStorage.getItem('mintage session') === null)
      for (const [name, text] of ${JSON.stringify(texts)}) localStorage.setItem(name, text)`,
  );
};

/** A device that keeps passkeys and knows its user. */
export const addPasskeys = async (page: Page): Promise<void> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
};
