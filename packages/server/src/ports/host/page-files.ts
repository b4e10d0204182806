/** The files of the dashboard, as they were built. */
export interface PageFiles {
  /** @param path as in the address: `assets/index-DVwNVFbv.js`, `index.html` */
  find(path: string): PageFile | undefined
}

export interface PageFile {
  readonly contentType: string
  /** Changes with the content. */
  readonly etag: string
  /** How it can be had: `br`, `gzip`, beside as it is. */
  readonly encodings: ReadonlySet<PageEncoding>
  read(encoding: PageEncoding | 'identity'): Buffer
}

export const PAGE_ENCODINGS = ['br', 'gzip'] as const
export type PageEncoding = (typeof PAGE_ENCODINGS)[number]

/** A page of the demo shop, drawn before a script runs. */
export interface DrawnPage {
  /** Of the request, with its query. */
  readonly path: string
  readonly connection: {
    readonly storeId: string
    readonly readSecret: string
    readonly eventsWriteKey: string
    readonly base: string
  }
  /** Where the service is asked, by `fetch`. */
  readonly url: string
  readonly fetch: typeof fetch
}

/** @returns HTML. */
export type PageRenderer = (page: DrawnPage) => Promise<string>
