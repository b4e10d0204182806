/** The built files of the dashboard. */
export interface PageFiles {
  /** @param path path in the address: `assets/index-DVwNVFbv.js`, `index.html` */
  find(path: string): PageFile | undefined
}

export interface PageFile {
  readonly contentType: string
  /** A tag that changes with the content. */
  readonly etag: string
  /** Available encodings besides the plain file: `br`, `gzip`. */
  readonly encodings: ReadonlySet<PageEncoding>
  read(encoding: PageEncoding | 'identity'): Buffer
}

export const PAGE_ENCODINGS = ['br', 'gzip'] as const
export type PageEncoding = (typeof PAGE_ENCODINGS)[number]

/** Renders a page of the demo shop on the server, before a script runs. */
export interface DrawnPage {
  /** Path of the request, with its query. */
  readonly path: string
  readonly connection: {
    readonly storeId: string
    readonly readSecret: string
    readonly eventsWriteKey: string
    readonly base: string
  }
  /** Base address of the service for `fetch`. */
  readonly url: string
  readonly fetch: typeof fetch
}

/** @returns HTML. */
export type PageRenderer = (page: DrawnPage) => Promise<string>
