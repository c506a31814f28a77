import { z } from 'zod';
import { flag } from '../schemas/flag.ts';
import { AddressText, BaseUnits, ChainSlug, DecimalText, IsoTime, optional, Uuid } from '../schemas/scalars.ts';
import { ReferralCode } from './createReferralCode.ts';
import { operation } from './operation.ts';

const unknown = 'Null when the chain did not answer in time.';

const Amount = z.strictObject({
  balance: DecimalText.nullable().meta({ description: `Whole units. ${unknown}` }),
  balanceRaw: BaseUnits.nullable().meta({ description: `Base units. ${unknown}` }),
});
const Native = Amount.extend({ symbol: z.string().meta({ description: 'Of the coin.' }) });
const Usd = Amount.extend({
  symbol: z.string().meta({ description: 'Of the dollar token.' }),
  address: AddressText.meta({ description: 'Contract of the dollar token.' }),
});

export const me = operation({
  name: 'me',
  summary: 'Returns the caller’s account: wallets, their gas and dollar balances on each chain, and referral.',
  description: [
    'Balances are read from the chains at their latest block. A chain that does not answer within two seconds is shown',
    'with `null` and never fails the call.',
  ].join(' '),
  method: 'POST',
  path: '/me',
  also: [{ method: 'GET', path: '/me' }],
  tag: 'Account',
  input: z.object({
    include_testnets: optional(flag).meta({
      description:
        'true: test chains too. Absent: only mainnet chains, or all where the deployment serves test chains only.',
    }),
  }),
  output: z.strictObject({
    success: z.literal(true),
    data: z.strictObject({
      userId: Uuid.meta({ description: 'Id of the user.' }),
      username: optional(z.string()).meta({ description: 'Absent: none is chosen.' }),
      displayName: optional(z.string()).meta({ description: 'Absent: none is given.' }),
      profilePicture: optional(z.string()).meta({ description: 'Address of the picture; absent: none is given.' }),
      unreadNotifications: z.int().nonnegative().meta({ description: 'Notifications that are not marked as read.' }),
      authMethod: z.enum(['jwt', 'apiKey', 'wallet', 'grant']).meta({
        description:
          'How this call was made: signed in, by an API key, signed by a wallet, or by an allowed application.',
      }),
      wallets: z
        .array(
          z.strictObject({
            address: AddressText.meta({ description: 'Of the wallet.' }),
            chainType: z.enum(['evm', 'solana']).meta({ description: 'Family of chains that it is for.' }),
            embedded: z.boolean().meta({ description: 'Whether this service’s signer holds its key.' }),
            actsFrom: optional(IsoTime).meta({
              description: 'From when it withdraws and signs; absent: it does.',
            }),
          }),
        )
        .meta({ description: 'The sign-in wallet first.' }),
      signIn: z
        .strictObject({
          passkeys: z.int().meta({ description: 'Count of passkeys.' }),
          wallets: z.int().meta({ description: 'Count of wallets of the user’s own.' }),
          identities: z.int().meta({ description: 'Count of users of other issuers (`JWT_ISSUERS`) that it is.' }),
        })
        .meta({
          description:
            'Ways into the account. Where they are one, who loses it loses the account: offer a further passkey or wallet.',
        }),
      balances: z
        .array(
          z.strictObject({
            chainSlug: ChainSlug.meta({ description: 'The chain.' }),
            chainId: z.int().meta({ description: 'EIP-155 id of the chain.' }),
            native: Native.meta({ description: 'Coin that pays for gas, all wallets together.' }),
            usd: Usd.meta({ description: "The chain's dollar token, all wallets together." }),
            wallets: z.array(z.strictObject({ address: AddressText, native: Amount, usd: Amount })),
          }),
        )
        .meta({ description: 'In the order of `GET /chains`.' }),
      execution: z.strictObject({
        paused: z.boolean().meta({
          description: 'True while your embedded wallet signs nothing because you or the operator paused it.',
        }),
      }),
      referral: z.strictObject({
        code: ReferralCode.optional().meta({
          description: 'The caller’s active referral code; the mainnet code if there is one for each network.',
        }),
        shareLink: z.url().optional().meta({ description: 'Where the web app lets a new user enter the code.' }),
        referredBy: AddressText.optional().meta({
          description:
            'Protocol referrer of the caller’s wallets; until a chain has registered it, the owner of the entered code.',
        }),
        tradedVolumeUsd: DecimalText.meta({
          description: 'Gross dollars that the wallets traded through this service on the chains of `balances`.',
        }),
      }),
    }),
  }),
  errors: [],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
  example: { include_testnets: true },
});
