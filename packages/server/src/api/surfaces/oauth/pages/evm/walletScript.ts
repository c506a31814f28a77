/**
 * Script that asks a wallet to sign our text and submits the signature as a form. Wallets that announce themselves (EIP-6963)
 * have a button each; their names are text.
 */
export const walletScript = `
{
  const form = document.getElementById('wallet');
  const [first] = form.getElementsByTagName('button');
  const signInWith = async (wallet) => {
    if (!wallet) {
      say('There is no wallet in this browser. Install one, or open this page in the browser of your wallet.', true);
      return;
    }
    disable(true);
    try {
      say('Choose an account in your wallet.');
      const [address] = await wallet.request({ method: 'eth_requestAccounts' });
      const { message } = await ask('/challenge', { address });
      say('Read the text in your wallet and sign it.');
      const bytes = new TextEncoder().encode(message);
      const hex = '0x' + Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      const signature = await wallet.request({ method: 'personal_sign', params: [hex, address] });
      form.elements.message.value = message;
      form.elements.signature.value = signature;
      form.submit();
    } catch (error) {
      say(error && error.code === 4001 ? 'Your wallet did not sign.' : 'This did not work: ' + (error && error.message), true);
      disable(false);
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    signInWith(window.ethereum);
  });
  const announced = new Set();
  window.addEventListener('eip6963:announceProvider', ({ detail }) => {
    if (announced.has(detail.info.uuid) || announced.size === 8) return;
    announced.add(detail.info.uuid);
    const button = first.cloneNode();
    button.type = 'button';
    button.hidden = false;
    button.textContent = 'Sign in with ' + String(detail.info.name).slice(0, 40);
    button.addEventListener('click', () => signInWith(detail.provider));
    first.hidden = true;
    first.parentElement.append(button);
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
}
`;
