import {
  RENDERED_PAGES_MAX_BYTES,
  RENDERINGS_PER_SECOND_MAX,
  RENDERINGS_PER_THREAD_MAX,
} from '@aisle/contract'
import type { PageFile } from '../ports/host/page-files.ts'
import { htmlFile } from './page-file.ts'

/** A page is rendered again after this time, because products change. */
const FRESH_MS = 5_000

interface Rendered {
  readonly file: PageFile
  readonly sizeBytes: number
  readonly untilMs: number
}

/**
 * Pages that this thread renders: each is kept for a moment, so that many visitors of a page cost
 * one rendering, also while it is in progress. The bytes that are kept are limited, and so are
 * renderings at a time and in a second: one takes as long as ten searches.
 */
export class RenderedPages {
  readonly #nowMs: () => number
  readonly #kept = new Map<string, Rendered>()
  readonly #inProgress = new Map<string, Promise<PageFile>>()
  #keptBytes = 0
  #second = 0
  #begunInSecond = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Bytes of all pages that are kept. */
  get keptBytes(): number {
    return this.#keptBytes
  }

  /**
   * Returns a page, or renders it.
   *
   * @param address the same for all requests for this page
   * @returns undefined if too many other pages are being rendered, or were in this second
   */
  get(address: string, render: () => Promise<string>): PageFile | Promise<PageFile> | undefined {
    const kept = this.#kept.get(address)
    if (kept !== undefined && kept.untilMs > this.#nowMs()) return kept.file
    const inProgress = this.#inProgress.get(address)
    if (inProgress !== undefined) return inProgress
    if (this.#inProgress.size >= RENDERINGS_PER_THREAD_MAX || !this.#begin()) return undefined
    const rendering = render()
      .then((html) => this.#keep(address, html))
      .finally(() => this.#inProgress.delete(address))
    this.#inProgress.set(address, rendering)
    return rendering
  }

  #begin(): boolean {
    const second = Math.floor(this.#nowMs() / 1_000)
    if (second !== this.#second) this.#begunInSecond = 0
    this.#second = second
    return ++this.#begunInSecond <= RENDERINGS_PER_SECOND_MAX
  }

  #keep(address: string, html: string): PageFile {
    const file = htmlFile(html)
    const sizeBytes = file.read('identity').length + file.read('gzip').length
    this.#drop(address)
    this.#kept.set(address, { file, sizeBytes, untilMs: this.#nowMs() + FRESH_MS })
    this.#keptBytes += sizeBytes
    // The oldest first; a page that is larger than the limit is not kept at all.
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= RENDERED_PAGES_MAX_BYTES) break
      this.#drop(oldest)
    }
    return file
  }

  #drop(address: string): void {
    this.#keptBytes -= this.#kept.get(address)?.sizeBytes ?? 0
    this.#kept.delete(address)
  }
}
