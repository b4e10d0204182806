/** The entry `@aisle/client/tokens`: scoped tokens, for a shop's own server. */
export { makeScopedToken } from './scoped-token.ts'
export type { TokenScope } from '@aisle/contract'
