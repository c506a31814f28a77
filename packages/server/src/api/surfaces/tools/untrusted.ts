import type { Json, ToolSchema } from './toolSchema.ts';
import { visible } from './visible.ts';

/**
 * Which texts of an answer a stranger may have written, derived from its schema: every text that is not an enumeration,
 * an address or a number. A new field is untrusted until its schema says otherwise, and so is a value that does not
 * match its schema.
 */
export interface Untrusted {
  /** The fields in words: `tokens[].name`. */
  paths: readonly string[];
  /** The answer with those texts made visible and fenced, for people and models to read. */
  fenced(answer: unknown): unknown;
  /** The same for programs: what they hand on (`handedOn`) stays exact. */
  fencedData(answer: unknown): unknown;
  /** Of such an answer: a fence may stand where the schema said how long a text is, or which. */
  schema: ToolSchema;
}

type Fence = (value: unknown) => unknown;

export const untrustedIn = (schema: ToolSchema): Untrusted => {
  const paths: string[] = [];
  const fenced = fenceOf(schema, '', paths, false);
  const fencedData = fenceOf(schema, '', [], true);
  return { paths: [...new Set(paths)], fenced, fencedData, schema: fencedSchema(schema) as ToolSchema };
};

/** Fences a text, unless it is a hash, address, id, number or time, which cannot carry instructions. */
export const fence = (text: string): string =>
  text === '' || isMute(text) ? text : `<untrusted>${visible(text)}</untrusted>`;

const mostItems = 20;

/** Fences values without a schema, such as the details of an error: every text is fenced, and lists are shortened. */
export const fenceUnknown: Fence = (value) => {
  if (typeof value === 'string') return fence(value);
  if (Array.isArray(value)) {
    const more = value.length - mostItems;
    return [...value.slice(0, mostItems).map(fenceUnknown), ...(more > 0 ? [`… (${more} more)`] : [])];
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).slice(0, mostItems);
  return Object.fromEntries(entries.map(([key, item]) => [visible(key), fenceUnknown(item)]));
};

const mute = [
  /^0x[0-9a-fA-F]{0,64}$/,
  /^-?\d{1,78}(\.\d{1,78})?$/,
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/,
];
const isMute = (text: string): boolean => mute.some((form) => form.test(text));

/** Fences every text of a value, at any depth. */
const fenceAll: Fence = (value) => {
  if (typeof value === 'string') return fence(value);
  if (Array.isArray(value)) return value.map(fenceAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [visible(key), fenceAll(item)]));
};

/**
 * Fields that hold no words, but what a chain or this service names things by, and that programs send back: addresses of
 * Solana, hashes, cursors, prepared transactions. Any other field is fenced in structured data too.
 */
const handedOn = new Set(
  [
    ['accountsOpened[]', 'address', 'blockHash', 'chain', 'chainSlug', 'chains[]', 'cid', 'code', 'contractAddress'],
    ['contract_address', 'creator', 'currencies[]', 'currencyAddress', 'currency_address', 'dex_address', 'dst_eid'],
    ['evt_tx_hash', 'from', 'fromChain', 'from_address', 'guid', 'hash', 'holder', 'id', 'implementation', 'launchpad'],
    [
      'lens',
      'messageId',
      'mime',
      'next_cursor',
      'owner_address',
      'pk',
      'pool',
      'pool_address',
      'receiver',
      'recipient',
    ],
    ['recipient_address', 'router', 'src_eid', 'to', 'toChain', 'to_address', 'token', 'tokenAddress', 'tokenBridge'],
    ['tokenFactory', 'tokenImplementation', 'token_a_address', 'token_address', 'token_b_address', 'trader', 'venue'],
    [
      'transactionBase64',
      'transactionHash',
      'transaction_hash',
      'tx_hash',
      'wallet',
      'walletAddress',
      'wallet_address',
    ],
    ['wallets[]', 'webhookId'],
  ].flat(),
);
/** One word of letters, digits and what base64 and URNs add. */
const oneWord = /^[A-Za-z0-9+/=_.:-]+$/;

const leafFence = (path: string, forPrograms: boolean): Fence => {
  if (!forPrograms || !handedOn.has(path.split('.').at(-1) as string)) return fenceAll;
  return (value) => (typeof value === 'string' && oneWord.test(value) ? value : fenceAll(value));
};

const fenceOf = (schema: Json, path: string, paths: string[], forPrograms: boolean): Fence => {
  const branches = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as Json[] | undefined;
  if (branches !== undefined) {
    const found: string[] = [];
    for (const branch of branches) fenceOf(branch, path, found, forPrograms);
    const closed = branches.map((branch) => closedForm(branch));
    if (closed.every((form) => form !== null)) return unless((value) => closed.some((form) => form(value)));
    // A field that is free text in one branch is treated so in all of them.
    const whole = branches.filter((branch) => branch.type !== 'null');
    if (whole.length === 1) return orNull(fenceOf(whole[0] as Json, path, paths, forPrograms));
    paths.push(...found);
    return leafFence(path, forPrograms);
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return orNull(fenceOf({ ...schema, type: types.length === 1 ? types[0] : undefined }, path, paths, forPrograms));
  }
  const isClosed = closedForm(schema);
  if (isClosed !== null) return unless(isClosed);
  switch (schema.type) {
    case 'array': {
      if (schema.items === undefined) break;
      const item = fenceOf(schema.items as Json, `${path}[]`, paths, forPrograms);
      return (value) => (Array.isArray(value) ? value.map(item) : fenceAll(value));
    }
    case 'object':
      return fenceObject(schema, path, paths, forPrograms);
  }
  paths.push(path);
  return leafFence(path, forPrograms);
};

/** Follows `fenceOf`. */
const fencedSchema = (schema: Json): Json => {
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const branches = schema[key] as Json[] | undefined;
    if (branches === undefined) continue;
    if (branches.every((branch) => closedForm(branch) !== null)) return schema;
    const isOne = branches.filter((branch) => branch.type !== 'null').length === 1;
    return { ...schema, [key]: branches.map(isOne ? fencedSchema : openSchema) };
  }
  const types = Array.isArray(schema.type) ? schema.type.filter((type) => type !== 'null') : [schema.type];
  const [type] = types.length === 1 ? types : [];
  if (closedForm({ ...schema, type }) !== null) return schema;
  if (type === 'array' && schema.items !== undefined) return { ...schema, items: fencedSchema(schema.items as Json) };
  if (type !== 'object') return openSchema(schema);
  const { propertyNames: _, additionalProperties: rest, properties, ...others } = schema;
  return {
    ...others,
    ...(properties === undefined ? {} : { properties: eachOf(properties as Json, fencedSchema) }),
    ...(rest === undefined ? {} : { additionalProperties: otherSchema(rest as Json) }),
  };
};

const otherSchema = (rest: Json): Json => (rest.type === undefined ? openSchema(rest) : fencedSchema(rest));

const eachOf = (properties: Json, change: (schema: Json) => Json): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, change(property as Json)]));

/** What a schema says of texts: a fenced one keeps none of it. */
const ofTexts = new Set(['enum', 'const', 'pattern', 'format', 'minLength', 'maxLength', 'propertyNames']);

/** Of what is fenced whole: every text in it may have any form. */
const openSchema = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !ofTexts.has(key))
      .map(([key, value]) => {
        if (key === 'properties') return [key, eachOf(value as Json, openSchema)];
        if (Array.isArray(value) && ['anyOf', 'oneOf', 'allOf'].includes(key)) return [key, value.map(openSchema)];
        const isSchema = ['items', 'additionalProperties'].includes(key) && typeof value === 'object' && value !== null;
        return [key, isSchema ? openSchema(value as Json) : value];
      }),
  );

const orNull =
  (inner: Fence): Fence =>
  (value) =>
    value === null ? null : inner(value);

const fenceObject = (schema: Json, path: string, paths: string[], forPrograms: boolean): Fence => {
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  const named = new Map(
    Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, property]) => [
      name,
      fenceOf(property, below(name), paths, forPrograms),
    ]),
  );
  const rest = schema.additionalProperties as Json | undefined;
  const other = rest?.type === undefined ? fenceAll : fenceOf(rest, below('*'), paths, forPrograms);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return fenceAll(value);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        named.has(key) ? key : visible(key),
        (named.get(key) ?? other)(item),
      ]),
    );
  };
};

const unless =
  (isOurs: (value: unknown) => boolean): Fence =>
  (value) =>
    isOurs(value) ? value : fenceAll(value);

/** A check for schemas whose values cannot contain words; null for every other schema. */
const closedForm = (schema: Json): ((value: unknown) => boolean) | null => {
  const given = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (given !== undefined) return (value) => (given as unknown[]).includes(value);
  switch (schema.type) {
    case 'number':
    case 'integer':
      return (value) => typeof value === 'number';
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'null':
      return (value) => value === null;
    case 'string': {
      if (typeof schema.pattern !== 'string') return null;
      const expression = new RegExp(schema.pattern, 'u');
      if (probes.some((probe) => expression.test(probe))) return null;
      return (value) => typeof value === 'string' && expression.test(value);
    }
  }
  return null;
};

/**
 * A pattern is closed when no word matches it: it accepts digits, hex digits and punctuation, but at no length the
 * letter g.
 */
const probes = Array.from({ length: 80 }, (_, length) => ['g'.repeat(length + 1), 'G'.repeat(length + 1)]).flat();
