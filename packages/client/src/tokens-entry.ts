/** Scoped tokens, for a shop's own server: what `@aisle/client/tokens` is. */
export { makeScopedToken } from './scoped-token.ts'
export type { TokenScope } from '@aisle/contract'
