/** Script that has the browser create or use a passkey, and submits what it gives as a form. */
export const passkeyScript = `
if (window.PublicKeyCredential && PublicKeyCredential.parseCreationOptionsFromJSON) {
  const form = document.getElementById('passkey');
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const purpose = event.submitter.value;
    disable(true);
    try {
      say('Follow your browser.');
      const { options } = await ask('/passkey-options', { purpose });
      const credential =
        purpose === 'register'
          ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
          : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
      form.elements.purpose.value = purpose;
      form.elements.credential.value = JSON.stringify(credential.toJSON());
      form.submit();
    } catch (error) {
      const isOver = error && error.name === 'NotAllowedError';
      say(isOver ? 'There was no passkey, or you cancelled.' : 'This did not work: ' + (error && error.message), true);
      disable(false);
    }
  });
}
`;
