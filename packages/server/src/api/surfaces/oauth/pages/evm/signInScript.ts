/** Script that asks the wallet to sign our text and submits the signature as a form. */
export const signInScript = `
const form = document.getElementById('sign-in');
const button = form.querySelector('button');
const say = (text, isBad) => {
  const line = document.getElementById('say');
  line.textContent = text;
  line.className = isBad ? 'bad' : 'soft';
};
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const wallet = window.ethereum;
  if (!wallet) {
    say('There is no wallet in this browser. Install one, or open this page in the browser of your wallet.', true);
    return;
  }
  button.disabled = true;
  try {
    say('Choose an account in your wallet.');
    const [address] = await wallet.request({ method: 'eth_requestAccounts' });
    const answer = await fetch(location.pathname.replace(/\\/$/, '') + '/challenge', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address }),
    });
    const challenge = await answer.json();
    if (!answer.ok) throw new Error(challenge.error);
    say('Read the text in your wallet and sign it.');
    const bytes = new TextEncoder().encode(challenge.message);
    const hex = '0x' + Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    const signature = await wallet.request({ method: 'personal_sign', params: [hex, address] });
    form.elements.message.value = challenge.message;
    form.elements.signature.value = signature;
    form.submit();
  } catch (error) {
    say(error && error.code === 4001 ? 'Your wallet did not sign.' : 'This did not work: ' + (error && error.message), true);
    button.disabled = false;
  }
});
`;
