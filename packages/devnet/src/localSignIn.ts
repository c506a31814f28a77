import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** The authorization code flow with PKCE, for pages of this machine: whoever types a name is that user. */
export interface LocalSignIn {
  /** The page that asks for the name; with one, leads back to where the person came from. */
  authorize(asked: URLSearchParams, response: ServerResponse): void;
  /** Gives the tokens of a code, once. */
  exchange(asked: URLSearchParams, response: ServerResponse): Promise<void>;
  /** Lets pages read the answer. */
  allow(response: ServerResponse): ServerResponse;
}

interface Asked {
  name: string;
  redirectUri: string;
  challenge: string;
  nonce: string | null;
  untilMs: number;
}

const codeLastsMs = 60_000;

const allow = (response: ServerResponse): ServerResponse =>
  response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*');

/**
 * @param names - Those that there may be.
 * @param tokenOf - A token for the user of a name, with further claims.
 */
export const createLocalSignIn = (
  clientId: string,
  names: RegExp,
  tokenOf: (name: string, claims: Record<string, string>) => Promise<string>,
): LocalSignIn => {
  const codes = new Map<string, Asked>();
  return {
    allow,
    authorize(asked, response) {
      const redirectUri = asked.get('redirect_uri') ?? '';
      const challenge = asked.get('code_challenge') ?? '';
      const isKnown =
        asked.get('client_id') === clientId &&
        asked.get('response_type') === 'code' &&
        asked.get('code_challenge_method') === 'S256' &&
        challenge !== '' &&
        isOfThisMachine(redirectUri);
      if (!isKnown) {
        response.writeHead(400).end('This is no sign-in of a page of this machine.\n');
        return;
      }
      const name = asked.get('name') ?? '';
      if (!names.test(name)) {
        const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
        response.writeHead(200, headers).end(page(asked));
        return;
      }
      const code = randomUUID();
      codes.set(code, { name, redirectUri, challenge, nonce: asked.get('nonce'), untilMs: Date.now() + codeLastsMs });
      const back = new URL(redirectUri);
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state') ?? '');
      response.writeHead(303, { location: back.href }).end();
    },
    async exchange(asked, response) {
      const code = asked.get('code') ?? '';
      const found = codes.get(code);
      codes.delete(code);
      const challenge = createHash('sha256')
        .update(asked.get('code_verifier') ?? '')
        .digest('base64url');
      const isGood =
        found !== undefined &&
        found.untilMs > Date.now() &&
        found.challenge === challenge &&
        found.redirectUri === asked.get('redirect_uri') &&
        asked.get('client_id') === clientId &&
        asked.get('grant_type') === 'authorization_code';
      allow(response).setHeader('content-type', 'application/json').setHeader('cache-control', 'no-store');
      if (!isGood) {
        response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant' }));
        return;
      }
      const token = await tokenOf(found.name, found.nonce === null ? {} : { nonce: found.nonce });
      response.end(JSON.stringify({ access_token: token, id_token: token, token_type: 'Bearer', expires_in: 3_600 }));
    },
  };
};

const isOfThisMachine = (address: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(URL.parse(address)?.hostname ?? '');

const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

const escape = (value: string): string => value.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

/** What was asked goes along with the name. */
const page = (asked: URLSearchParams): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local account</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 22rem; margin: 15vh auto; padding: 0 1rem; }
input, button { font: inherit; width: 100%; box-sizing: border-box; padding: 0.6rem; margin: 0.5rem 0; }
</style>
</head>
<body>
<main>
<h1>Local account</h1>
<p>This stands in for an identity provider on your machine. Any name signs in as the user of that name.</p>
<form>
${[...asked]
  .filter(([key]) => key !== 'name')
  .map(([key, value]) => `<input type="hidden" name="${escape(key)}" value="${escape(value)}">`)
  .join('\n')}
<label>Name <input name="name" required pattern="[\\w\\-]{1,64}" autocomplete="username" autofocus></label>
<button>Continue</button>
</form>
</main>
</body>
</html>
`;
