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
  /** Its address, in its only form. */
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

export interface PageRenderer {
  /**
   * The address of the same page in its only form, without parameters that the page ignores.
   *
   * @param path path and query of a request
   * @param base path of the shop
   */
  addressOf(path: string, base: string): Promise<string>
  /** @returns HTML */
  render(page: DrawnPage): Promise<string>
}
