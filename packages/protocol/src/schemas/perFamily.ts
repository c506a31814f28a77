import { z } from 'zod';
import type { ChainType } from '../chains/families.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Forms = Readonly<Record<ChainType, JsonSchema>>;

/**
 * A part of the wire whose form differs between families of chains. It takes the forms of all of them, because a schema does
 * not know who serves it: whoever reads an address asks the chain that it is on. What documents show is the form of the
 * families that a deployment serves (`ofFamilies`).
 *
 * @param forms - JSON Schema of each family's form, without descriptions.
 */
export const perFamily = <Schema extends z.ZodType>(schema: Schema, forms: Forms): Schema => schema.meta({ forms });

/** For `z.toJSONSchema`: shows parts that differ between families in the forms of these. */
export const ofFamilies =
  (types: readonly ChainType[]) =>
  ({ jsonSchema }: { jsonSchema: JsonSchema }): void => {
    const { forms } = jsonSchema as { forms?: Forms };
    if (forms === undefined) return;
    delete jsonSchema.forms;
    for (const key of ['type', 'pattern', 'enum', 'minimum', 'maximum', 'anyOf'] as const) delete jsonSchema[key];
    // With a description of its own a part refers to the whole, which says its form.
    if (jsonSchema.$ref !== undefined) return;
    const [first, ...more] = types.map((type) => forms[type]);
    const { ...rest } = jsonSchema;
    for (const key of Object.keys(rest)) delete jsonSchema[key];
    Object.assign(jsonSchema, more.length === 0 ? first : { anyOf: [first, ...more] }, rest);
  };

/** Text that is of one of two forms. */
export const eitherOf = (one: RegExp, other: RegExp): RegExp => new RegExp(`${one.source}|${other.source}`);
