import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { patientServer } from '@mintage/devnet/patientServer';
import { Browser, type BrowserPage } from 'happy-dom';

/** Serves the folder, opens a page of it in a browser without a screen, and closes both at the end. */
export const openPage = async (
  folder: string,
  name: string,
  visit: (page: BrowserPage) => Promise<void>,
): Promise<void> => {
  const server = createServer(patientServer, ({ url = '' }, response) => {
    response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(readFileSync(join(folder, url)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // The page's scripts are the guide's own.
  const settings = { enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true };
  const browser = new Browser({ settings });
  try {
    const page = browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`);
    await visit(page);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
};
