// What a framed page loads: one token's figures, and no more of the app. It calls no wallet.
import { createReader } from '@mintage/sdk';
import { hydrateRoot } from 'react-dom/client';
import type { EmbedGiven } from './embedPage.tsx';
import { Embed } from './features/embed/Embed.tsx';
import { type EmbedMarket, readMarket } from './features/embed/embedMarket.ts';
import './ui/app.css';
import './features/embed/embed.css';

const given = JSON.parse(document.getElementById('given')?.textContent ?? 'null') as EmbedGiven;
const { base, ...props } = given;
const api = createReader({ baseUrl: location.origin + base, retries: 0 });
const read = (before: EmbedMarket): Promise<EmbedMarket> =>
  readMarket(api, before.about.id, props.kind === 'trade', before);

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no place for its content.');
hydrateRoot(root, <Embed {...props} read={read} />);
document.documentElement.dataset.ready = '';
performance.mark('interactive');

// The script of the page around it makes the frame as high as this. The height is no secret, so any page may hear it.
new ResizeObserver(() => {
  const height = Math.ceil(root.getBoundingClientRect().height);
  if (parent !== window) parent.postMessage({ mintageHeight: height }, '*');
}).observe(root);
