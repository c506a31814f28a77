import { createReader } from '@mintage/sdk';
import { hydrate as fill } from '@tanstack/react-query';
import { hydrateRoot } from 'react-dom/client';
import { App, loadPage } from './app.tsx';
import { setApi } from './lib/api.ts';
import { connection } from './lib/connection.ts';
import { createQueries } from './lib/createQueries.ts';
import type { Deployment } from './lib/deployment.ts';
import { keepFocus } from './lib/keepFocus.ts';
import { keepScrollPlaces } from './lib/scrollPlace.ts';
import { keepSession } from './lib/session.ts';
import './ui/app.css';

const json = <Shape,>(id: string): Shape => JSON.parse(document.getElementById(id)?.textContent ?? 'null') as Shape;

const deployment = json<Deployment>('deployment');
// Without a network nothing is asked, so no call would tell.
addEventListener('offline', connection.isLost);
addEventListener('online', connection.isThere);
if (!navigator.onLine) connection.isLost();
const client = createQueries();
fill(client, json('data'));
const told: typeof fetch = (...request) =>
  fetch(...request).then(
    (answer) => {
      // One that was on its way may still come after the network has gone.
      if (navigator.onLine) connection.isThere();
      return answer;
    },
    (error: unknown) => {
      if ((error as Error).name !== 'AbortError') connection.isLost();
      throw error;
    },
  );
const api = createReader({ baseUrl: location.origin + deployment.base, fetch: told });
setApi(client, api);
keepSession(api, client);
keepFocus();
keepScrollPlaces();

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no place for the app.');
const path = location.pathname.slice(deployment.base.length) || '/';
const first = await loadPage(path);
hydrateRoot(root, <App deployment={deployment} client={client} first={first} />);
document.documentElement.dataset.ready = '';
performance.mark('interactive');
// Where a page cannot be reached, it says so in our words. Some browsers refuse workers, as in private windows.
navigator.serviceWorker
  ?.register(`${deployment.base}/push.js`, { scope: `${deployment.base}/` })
  .catch((error: unknown) => {
    console.info('Without a network there will be no page of ours here:', error);
  });
