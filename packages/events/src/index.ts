/** Visitor events for a shop’s pages: who visitors are, what they do, which search led there. */
export { AisleEvents } from './aisle-events.ts'
export type { EventsOptions, Order, OrderedProduct, Visitor } from './aisle-events.ts'
export type { Results } from './search-trail.ts'
