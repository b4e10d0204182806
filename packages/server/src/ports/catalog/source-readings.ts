import type { IncomingHttpHeaders } from 'node:http'
import type { SourceConnection, SourcePreview, StoreSchema } from '@aisle/contract'

/** Reads sources apart from requests, and compares what they have with what was written before. */
export interface SourceReadings {
  /** The reading ends, and what it has open is closed, with the signal. */
  open(request: SourceRequest, signal: AbortSignal): SourceReading
  /** Reads the first rows. Throws `source_unreadable`. */
  preview(request: SourceRequest, rows: number, signal: AbortSignal): Promise<SourcePreview>
  /** Removes what the source keeps for this service. Throws `source_unreadable`. */
  drop(request: SourceRequest, signal: AbortSignal): Promise<void>
  /** Reads a webhook of a shop. The signature comes first. */
  readWebhook(
    connection: SourceConnection,
    secrets: Readonly<Record<string, string>>,
    request: WebhookRequest,
  ): WebhookReading
  /** Whether a body is what WooCommerce sends, unsigned, to try the address of a webhook. */
  isPing(body: Uint8Array): boolean
  /** Throws `source_unreadable` for an address, in place of a name, that no source may reach. */
  requireAllowed(host: string): void
  /** Sends a JSON object by POST. Throws `source_unreadable`. */
  notify(url: string, body: string): Promise<void>
}

export interface WebhookRequest {
  readonly headers: IncomingHttpHeaders
  /** Byte for byte: it is signed. */
  readonly body: Uint8Array
}

export type WebhookReading =
  /** It is not signed with the secret of the source. */
  | { readonly kind: 'forged' }
  /** It says nothing about a document. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'changed'; readonly ids: readonly string[]; readonly delivery: string }

/** What is read, and how its rows become documents. */
export interface SourceRequest {
  readonly connection: SourceConnection
  readonly secrets: Readonly<Record<string, string>>
  /** Unique to the source, also among services: what a database keeps for it is named after it. */
  readonly owner: string
  /** Deletions that are followed delete nothing. */
  readonly ignoresDeletions?: boolean
  /** The source is to keep nothing for a reading that writes nothing. */
  readonly isTrial?: boolean
  /** Column -> field; empty: left out. */
  readonly mapping: Readonly<Record<string, string>>
  /** Absent: the likeliest column; only for a preview. */
  readonly idColumn?: string | undefined
  /** Absent: none is defined; only for a preview. */
  readonly schema?: StoreSchema | undefined
  /** Where the last complete reading ended. */
  readonly position?: string | undefined
}

/**
 * One reading of a source. The documents that were written before are told to it first, in parts;
 * each batch brings the part that describes it.
 */
export interface SourceReading {
  /** @param isOutdated the ids are known, and what was written is not */
  remember(part: Uint8Array, isOutdated: boolean): Promise<void>
  /** The part with only the entries that no later part has, and that were not asked for before. */
  compact(part: Uint8Array): Promise<Uint8Array>
  /** Throws `source_unreadable`. */
  next(): Promise<ComparedBatch>
  /** After the end: number of documents that are known, and of those that were not read. */
  figures(): Promise<{ readonly known: number; readonly missing: number }>
  /** The entries of a part that were not read, and not returned before. */
  missing(part: Uint8Array): Promise<MissingDocuments>
  /**
   * The next changes after the position that the first call names. Waits for them. Throws
   * `source_unreadable`.
   */
  nextChanges(position: string): Promise<FollowedChanges>
  /**
   * These documents as they are now, as changes at the position. Throws `source_unreadable`.
   */
  someNow(ids: readonly string[], position: string): Promise<FollowedChanges>
  /** All changes up to the position are durable. */
  acknowledge(position: string): Promise<void>
  close(): Promise<void>
}

export interface MissingDocuments {
  readonly ids: readonly string[]
  /** A part with these entries. */
  readonly part: Uint8Array
}

export type ComparedBatch =
  | ComparedRows
  /** The source has not changed since the position. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'end'; readonly position: string | undefined }

export interface ComparedRows {
  readonly kind: 'rows'
  readonly rows: number
  readonly bytes: number
  readonly unchanged: number
  readonly changed: readonly ChangedDocument[]
  readonly refused: readonly RefusedSourceRow[]
  /** Describes the documents of the batch: see `domain/documents/source-parts.ts`. */
  readonly part: Uint8Array
}

export interface ChangedDocument {
  readonly id: string
  /** UTF-8 JSON of its data. */
  readonly json: Uint8Array
  /** No part has its id. */
  readonly isNew: boolean
  readonly row: number
  /** Where the part has the digest of the document. */
  readonly digestAt: number
}

export interface DeletedDocument {
  readonly id: string
  /** Where the part has the mark of the deletion. */
  readonly digestAt: number
}

export type FollowedChanges =
  | {
      readonly kind: 'changes'
      readonly unchanged: number
      readonly changed: readonly ChangedDocument[]
      /** Documents that are known. */
      readonly deleted: readonly DeletedDocument[]
      readonly refused: readonly RefusedSourceRow[]
      /** Describes the documents of the batch, also the deleted ones. */
      readonly part: Uint8Array
      readonly position: string
      /** Documents of the source afterwards. */
      readonly documents: number
    }
  /** The source no longer has the changes: everything must be read again. */
  | { readonly kind: 'lost'; readonly reason: string }

export interface RefusedSourceRow {
  readonly row: number
  readonly id?: string
  readonly error: string
  /** The row as it was read, cut. */
  readonly document?: string
}
