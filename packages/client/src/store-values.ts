/** Kinds of named resources, as in the path. */
export type ResourceKind =
  | 'collections'
  | 'presets'
  | 'strategies'
  | 'rules'
  | 'synonym-sets'
  | 'stopword-sets'
  | 'query-sets'
/** A resource without its name. */
export type ResourceValue = Readonly<Record<string, unknown>>

/** Identifies the visitor; needs at least one id. */
export interface VisitorIds {
  readonly userId?: string | undefined
  readonly anonymousId?: string | undefined
  readonly sessionId?: string | undefined
}

export interface NamedResource {
  readonly name: string
  readonly value: ResourceValue
}

/** Something that several people may edit, with the `ETag` to name in `ifMatch`. */
export interface Tagged<Value> {
  readonly value: Value
  readonly etag: string
}

/** The response to a write, with the `ETag` of what is stored now. */
export type Written<Value> = Value & { readonly etag: string }

export interface DocumentExport {
  /** Number of lines. */
  readonly docCount: number
  /** Lines `{"id":…,"data":{…}}`, with the text as stored. */
  readonly lines: AsyncGenerator<string>
}
