/** Script that the others of the sign-in page begin with: `say` tells the user how it goes, `ask` asks this service. */
export const sayScript = `
const say = (text, isBad) => {
  const line = document.getElementById('say');
  line.textContent = text;
  line.className = isBad ? 'bad' : 'soft';
};
const ask = async (path, body) => {
  const answer = await fetch(location.pathname.replace(/\\/$/, '') + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error);
  return said;
};
const disable = (isDisabled) => {
  for (const button of document.querySelectorAll('#passkey button, #wallet button')) button.disabled = isDisabled;
};
`;
