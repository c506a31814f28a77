import type { Calls } from '@mintage/sdk';

/** What a page says of the service that serves it, and where it finds it. */
export interface Deployment {
  /** Name of the deployment. */
  name: string;
  network: 'Mainnet' | 'Testnet';
  /** Address of the web app without a slash at its end: of links that leave the page. */
  appUrl: string;
  /** Path of the pages on their host, without a slash at its end; '' at the root. */
  base: string;
  /** The deployment's own logo, a path; null: ours. */
  logo: string | null;
  /** Whether its chains are local ones, whose money is worth nothing. */
  isDevnet: boolean;
  /** Where people without a wallet may sign in elsewhere. */
  providers: readonly IdentityProvider[];
  /** When the page was made, milliseconds since 1970. */
  renderedAtMs: number;
}

/** A place elsewhere whose sign-in counts here: the authorization code flow with PKCE. */
export interface IdentityProvider {
  name: string;
  clientId: string;
  authorizeUrl: string;
  tokenUrl: string;
  /** Which of its tokens is taken here. */
  token: 'id_token' | 'access_token';
}

export interface RenderRequest {
  /** Below the base, as `/token/paper-boat`. */
  path: string;
  /** With its `?`, or ''. */
  search: string;
  deployment: Deployment;
  /** Reads of nobody in particular. */
  api: Calls;
  /** Version of the deployment's colours, which are a file of their own. */
  brandTag: string;
}

export interface Rendered {
  status: 200 | 404;
  html: string;
}

export type Render = (request: RenderRequest) => Promise<Rendered>;

/** What Vite says of the files that it made. */
export type Manifest = Readonly<
  Record<string, { file: string; imports?: readonly string[]; css?: readonly string[]; assets?: readonly string[] }>
>;

/** Of the two builds for browsers: framed pages share nothing with the app, so that they load little. */
export interface Manifests {
  app: Manifest;
  embed: Manifest;
}
