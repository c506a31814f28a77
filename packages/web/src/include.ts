/**
 * What other people's pages load as `/embed.js`: it puts a frame where its tag stands.
 *
 * `<script src="https://…/embed.js" data-token="paper-boat" data-kind="trade" data-theme="auto" async></script>`
 */
const tag = document.currentScript;
if (tag instanceof HTMLScriptElement && tag.dataset.token) {
  const { token, kind, theme, ref } = tag.dataset;
  const isPrice = kind === 'price';
  const url = new URL(`embed/${isPrice ? 'price' : 'trade'}/${encodeURIComponent(token)}`, tag.src);
  if (theme === 'light' || theme === 'dark') url.searchParams.set('theme', theme);
  if (ref) url.searchParams.set('ref', ref);
  const frame = document.createElement('iframe');
  frame.src = url.href;
  frame.title = `${isPrice ? 'Price of' : 'Trade'} ${token}`;
  frame.loading = 'lazy';
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  // It may open our page in a new tab, and cannot lead this one away.
  for (const allowed of ['scripts', 'same-origin', 'forms', 'popups', 'popups-to-escape-sandbox'])
    frame.sandbox.add(`allow-${allowed}`);
  // Set one by one, which pages allow that allow no style in their text.
  Object.assign(frame.style, { border: '0', width: '100%', maxWidth: isPrice ? '420px' : '400px', display: 'block' });
  frame.height = isPrice ? '66' : '373';
  addEventListener('message', ({ source, origin, data }: MessageEvent<{ mintageHeight?: unknown } | null>) => {
    if (source !== frame.contentWindow || origin !== url.origin) return;
    const height = data?.mintageHeight;
    if (typeof height === 'number' && height > 0 && height < 2_000) frame.height = String(height);
  });
  tag.after(frame);
}
