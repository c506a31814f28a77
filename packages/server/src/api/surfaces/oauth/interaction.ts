import { AddressText, MintageError, parseUnits } from '@mintage/protocol';
import type { BudgetInput } from '@mintage/protocol/operations';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import { z } from 'zod';
import { tooNew, type UserScope, waitsUntil } from '../../accounts/caller.ts';
import { evmAddress } from '../../accounts/evm/evmAddress.ts';
import { shownWallet } from '../../accounts/evm/signInMessage.ts';
import { addGrant } from '../../accounts/grants.ts';
import { requireNotFrozen } from '../../accounts/newAccess.ts';
import { accountName } from '../../accounts/passkeys/handle.ts';
import { accountOf, type WayIn } from '../../accounts/users.ts';
import { limitHeaders, requireAdmitted } from '../../limits/limiter.ts';
import { parseInput } from '../../wire/parseInput.ts';
import { oauthPath } from './addresses.ts';
import { offeredScopes } from './authorizationServer.ts';
import { redirectHostOf } from './clients.ts';
import { newSignInText, signedInUser } from './evm/signIn.ts';
import { claimInteraction, keepClient } from './items.ts';
import type { OauthContext } from './oauth.ts';
import { type ConsentForm, consentPage } from './pages/consentPage.ts';
import { errorPage } from './pages/errorPage.ts';
import type { Page } from './pages/page.ts';
import { type Application, signInPage } from './pages/signInPage.ts';
import { hasPasskeys, passkeyOptions, passkeyUser } from './passkeySignIn.ts';

/** The state of one authorization flow. */
interface Flow {
  provider: Provider;
  uid: string;
  path: string;
  clientId: string;
  application: Application;
  redirectUri: string;
  asked: UserScope[];
  /** Null before the user has signed in. */
  userId: string | null;
}

type Interaction = FastifyRequest<{ Params: { uid: string } }>;

/**
 * Serves the pages between a client's request and its code: sign in with a passkey or a wallet, then choose what the client may do.
 * A flow is found by its own cookie, which is sent to these paths only; a form is accepted only from one of our pages.
 */
export const serveInteraction = (app: FastifyInstance, context: OauthContext): void => {
  const config = { operation: null };
  const path = `${oauthPath}/interaction/:uid`;

  app.register(async (scope) => {
    scope.addHook('preHandler', limitSignIn(context));
    scope.post(`${path}/challenge`, { config }, async (request: Interaction, reply) => {
      requireOwnPage(context, request);
      const given = parseInput(z.object({ address: AddressText }), request.body);
      const address = evmAddress(given.address, 'address');
      const flow = await openFlow(context, request, reply);
      reply.removeHeader('access-control-allow-origin').header('cache-control', 'no-store');
      return { message: await newSignInText(context, flow.uid, address, flow.application.redirectHost) };
    });
    scope.post(`${path}/passkey-options`, { config }, async (request: Interaction, reply) => {
      requireOwnPage(context, request);
      const flow = await openFlow(context, request, reply);
      reply.removeHeader('access-control-allow-origin').header('cache-control', 'no-store');
      return passkeyOptions(context, flow.uid, request.body);
    });
  });

  app.register(async (scope) => {
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, new URLSearchParams(text as string)),
    );
    scope.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof MintageError)) throw error;
      return sendPage(reply, errorPage(context.config, error.message), error.kind.status);
    });

    scope.get(path, { config }, async (request: Interaction, reply) => {
      const flow = await openFlow(context, request, reply);
      return sendPage(reply, flow.userId === null ? signInPageOf(context, flow) : await consentPageOf(context, flow));
    });

    scope.register(async (forms) => {
      forms.addHook('preHandler', limitSignIn(context));
      forms.addHook('preHandler', async (request) => requireOwnPage(context, request));

      /** A form that proves who the user is. */
      const signsIn = (name: string, prove: (flow: Flow, form: URLSearchParams) => Promise<WayIn>) =>
        forms.post(`${path}/${name}`, { config }, async (request: Interaction, reply) => {
          const flow = await openFlow(context, request, reply);
          try {
            const { userId: accountId, actsFrom } = await prove(flow, formOf(request));
            await requireNotFrozen(context.db, accountId);
            if (waitsUntil(actsFrom, context.now()) !== null) throw tooNew(actsFrom as Date);
            await flow.provider.interactionResult(request.raw, reply.raw, { login: { accountId } });
          } catch (error) {
            if (!(error instanceof MintageError)) throw error;
            return sendPage(reply, signInPageOf(context, flow, `${error.message}. Try again.`), error.kind.status);
          }
          return reply.redirect(flow.path, 303);
        });
      signsIn('sign-in', ({ uid }, form) =>
        signedInUser(context, uid, crlfToLf(form.get('message') ?? ''), form.get('signature') ?? ''),
      );
      signsIn('passkey', ({ uid }, form) => passkeyUser(context, uid, form));

      forms.post(`${path}/sign-out`, { config }, async (request: Interaction, reply) => {
        const flow = await openFlow(context, request, reply);
        await flow.provider.interactionResult(request.raw, reply.raw, {}, { mergeWithLastSubmission: false });
        return reply.redirect(flow.path, 303);
      });

      forms.post(`${path}/consent`, { config }, async (request: Interaction, reply) => {
        const flow = await openFlow(context, request, reply);
        const finish = (result: Parameters<Provider['interactionResult']>[2]) =>
          flow.provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
        const form = formOf(request);
        if (form.get('decision') !== 'allow') {
          const error_description = 'The user did not allow it';
          return reply.redirect(await finish({ error: 'access_denied', error_description }), 303);
        }
        const { userId } = flow;
        if (userId === null) return reply.redirect(flow.path, 303);
        const typed = typedForm(form);
        let choices: Choices;
        try {
          choices = choicesOf(context, flow, typed);
        } catch (error) {
          if (!(error instanceof MintageError)) throw error;
          return sendPage(reply, await consentPageOf(context, flow, typed, `${error.message}.`), error.kind.status);
        }
        if (!(await claimInteraction(context.db, flow.uid, context.now()))) throw flowEnded();
        const grantId = await allow(context, flow, userId, choices);
        return reply.redirect(await finish({ login: { accountId: userId }, consent: { grantId } }), 303);
      });
    });
  });
};

interface Choices {
  scopes: UserScope[];
  budget: BudgetInput;
}

/** Stores the grant, both for the library and for the user's list. */
const allow = async (context: OauthContext, flow: Flow, userId: string, choices: Choices): Promise<string> => {
  const { db, oauth, now } = context;
  const grant = new flow.provider.Grant({ accountId: userId, clientId: flow.clientId });
  grant.addResourceScope(oauth.addresses.resource, choices.scopes.join(' '));
  const grantId = await grant.save();
  await addGrant(
    context,
    {
      grantId,
      userId,
      clientId: flow.clientId,
      clientName: flow.application.name,
      redirectHost: flow.application.redirectHost,
      ...choices,
    },
    now(),
  );
  await keepClient(db, flow.clientId);
  return grantId;
};

const usd = /^(0|[1-9]\d{0,8})(\.\d{1,2})?$/;

/**
 * The user's choices: never more than the client requested, and `execute` only with a budget.
 *
 * @throws MintageError INVALID_PARAMETERS, with a message that the user reads.
 */
const choicesOf = (context: OauthContext, { asked }: Flow, form: ConsentForm): Choices => {
  const scopes = asked.filter((scope) => form.scopes.includes(scope));
  if (scopes.length !== new Set(form.scopes).size) throw wrong('That is more than the application asks for');
  if (scopes.length === 0) throw wrong('Choose at least one thing that it may do, or cancel');
  if (!scopes.includes('execute')) return { scopes, budget: { perTradeUsd: '0', perDayUsd: '0', chains: [] } };
  const { perTradeUsd, perDayUsd } = form;
  const chains = form.chains.map((slug) => {
    const served = context.chains.get(slug);
    if (served === undefined) throw wrong('One of the chains is not served here');
    return served.chain.slug;
  });
  if (chains.length === 0) throw wrong('Choose at least one chain to execute on');
  if (!usd.test(perTradeUsd) || !usd.test(perDayUsd)) {
    throw wrong('Type both amounts of the budget as dollars, such as 25 or 12.50');
  }
  const [trade18, day18] = [parseUnits(perTradeUsd, 18), parseUnits(perDayUsd, 18)];
  if (trade18 === 0n || day18 === 0n) throw wrong('Executing needs a budget of more than 0 dollars');
  if (trade18 > day18) throw wrong('A trade cannot cost more than a day');
  return { scopes, budget: { perTradeUsd, perDayUsd, chains } };
};

const wrong = (message: string) => new MintageError('INVALID_PARAMETERS', message);

const typedForm = (form: URLSearchParams): ConsentForm => ({
  scopes: form.getAll('scope'),
  chains: form.getAll('chain'),
  perTradeUsd: (form.get('perTradeUsd') ?? '').trim(),
  perDayUsd: (form.get('perDayUsd') ?? '').trim(),
});

/** Browsers send the line ends of a form's text as CR LF. */
const crlfToLf = (text: string): string => text.replace(/\r\n/g, '\n');

const formOf = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams();

const flowEnded = (): MintageError =>
  new MintageError('AUTHENTICATION_FAILED', 'This request is over, or was begun in another browser');

/** @throws MintageError AUTHENTICATION_FAILED when the flow's cookie is missing, or is another flow's. */
const openFlow = async (context: OauthContext, request: Interaction, reply: FastifyReply): Promise<Flow> => {
  const provider = await context.oauth.authorizationServer();
  const details = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
    throw error instanceof errors.SessionNotFound ? flowEnded() : error;
  });
  if (details.uid !== request.params.uid) throw flowEnded();
  const clientId = String(details.params.client_id);
  const redirectUri = String(details.params.redirect_uri);
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw flowEnded();
  return {
    provider,
    uid: details.uid,
    path: `${oauthPath}/interaction/${details.uid}`,
    clientId,
    redirectUri,
    application: {
      name: client.clientName ?? clientId,
      redirectHost: redirectHostOf(redirectUri),
      publishedBy: URL.parse(clientId)?.host ?? null,
    },
    asked: offeredScopes(details.params.scope),
    userId: details.result?.login?.accountId ?? null,
  };
};

const signInPageOf = (context: OauthContext, { application, path, redirectUri }: Flow, problem?: string): Page =>
  signInPage({
    config: context.config,
    application,
    path,
    redirectUri,
    hasPasskeys: hasPasskeys(context),
    ...(problem === undefined ? {} : { problem }),
  });

const consentPageOf = async (
  context: OauthContext,
  flow: Flow,
  form?: ConsentForm,
  problem?: string,
): Promise<Page> => {
  const userId = flow.userId as string;
  const account = await accountOf(context.db, userId);
  const embedded = new Set(Object.values(account?.embedded ?? {}));
  const wallet = account?.wallets.find((one) => !embedded.has(one));
  const chains = [...context.chains.values()].map(({ chain }) => ({ slug: chain.slug, name: chain.name }));
  const untouched: ConsentForm = {
    scopes: flow.asked.filter((scope) => scope === 'read' || scope === 'prepare'),
    chains: chains.map(({ slug }) => slug),
    perTradeUsd: '0',
    perDayUsd: '0',
  };
  return consentPage({
    config: context.config,
    ...flow,
    chains,
    signedIn: wallet === undefined ? accountName(context.config.platformName, userId) : shownWallet(wallet),
    form: form ?? untouched,
    ...(problem === undefined ? {} : { problem }),
  });
};

export const sendPage = (reply: FastifyReply, { html, headers }: Page, status = 200): FastifyReply =>
  reply.removeHeader('access-control-allow-origin').code(status).headers(headers).send(html);

/**
 * Refuses forms from other sites by the browser's `Origin` and `Sec-Fetch-Site` headers. (They would find no flow
 * anyway, because its cookie is not sent from other sites.)
 */
const requireOwnPage = ({ config }: OauthContext, { headers }: FastifyRequest): void => {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const isOwn =
    (origin === undefined || origin === new URL(config.publicUrl).origin) &&
    (site === undefined || site === 'same-origin');
  if (!isOwn) throw new MintageError('AUTHENTICATION_FAILED', 'This form does not come from our page');
};

/** Counts the request as a sign-in of its address. */
export const limitSignIn = (context: OauthContext) => async (request: FastifyRequest, reply: FastifyReply) => {
  const limited = await context.limiter.take('signIn', null, request.ip);
  reply.headers(limitHeaders(limited));
  requireAdmitted(limited);
};
