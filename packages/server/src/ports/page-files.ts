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
