/** The schemas of every operation, for who wants to check what comes in before it is sent. Loads their library (zod). */
export { actionTypes, definitions, infoTypes, operations } from '@mintage/protocol/operations';
