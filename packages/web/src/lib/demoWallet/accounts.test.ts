// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { account, chooseAccount, firstAccount } from './accounts.ts';

describe('chooseAccount', () => {
  afterEach(() => localStorage.clear());

  const buttons = () => [...document.querySelectorAll('dialog button')] as HTMLButtonElement[];
  const choose = async (words: string): Promise<void> => {
    const choosing = chooseAccount();
    const button = buttons().find(({ textContent }) => textContent === words);
    if (button === undefined) throw new Error(`Nobody can choose “${words}”.`);
    button.click();
    await choosing;
  };

  it('default: a new account, then the one before again', async () => {
    const first = firstAccount().address;
    await choose('A new account');
    const second = account()?.address;
    expect(second).not.toBe(first);
    await choose(first);
    expect(account()?.address).toBe(first);
    const choosing = chooseAccount();
    expect(buttons().map(({ textContent }) => textContent)).toEqual([first, second, 'A new account', 'Refuse']);
    buttons().at(-1)?.click();
    await expect(choosing).rejects.toMatchObject({ code: 4001 });
    expect(account()?.address).toBe(first);
  });
});
