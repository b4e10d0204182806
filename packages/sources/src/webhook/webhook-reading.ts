import type { IncomingHttpHeaders } from 'node:http'

/** A request of a shop, which says that something has changed. */
export interface WebhookRequest {
  readonly headers: IncomingHttpHeaders
  /** Byte for byte: it is signed. */
  readonly body: Uint8Array
}

export type WebhookReading =
  /** It is not signed with the secret of the source, or the kind has no webhooks. */
  | { readonly kind: 'forged' }
  /** It is signed, and says nothing about a product. */
  | { readonly kind: 'ignored' }
  /**
   * These documents have changed, or are gone. What they are like now is read from the shop
   * (`readSome`): so it does not matter in which order webhooks arrive, and how often.
   */
  | {
      readonly kind: 'changed'
      readonly ids: readonly string[]
      /** The same for each attempt to deliver it; empty if the shop gives none. */
      readonly delivery: string
    }
