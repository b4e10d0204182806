import type {
  InsertedPlace,
  ProductPlace,
  ProductRequests,
  StoredProduct,
} from '../opensearch/product-requests.ts'
import type { DocumentScan, StoredDocument, WalkPlace } from '@aisle/server/ports'
import { clusterFailure } from '../control/cluster-failure.ts'

/** Approximate bytes per response of the cluster. */
const PAGE_BYTES = 1_000_000
/** Documents of the first page; later pages are sized by the previous ones. */
const FIRST_PAGE = 50
const PAGE_MAX = 1_000

/** A document with what models have made of its text, or of an earlier one. */
export type ScannedDocument = StoredDocument & Pick<StoredProduct, 'own'>

/** Scans the documents of a place as of one point in time. */
export class MomentScan implements DocumentScan {
  readonly #requests: ProductRequests
  readonly #scope: string
  readonly #moment: string
  readonly #among: Float64Array | undefined
  /** Documents read but not returned yet. */
  #page: ScannedDocument[] = []
  /** DocKeys up to here are read. */
  #after: number
  /** The same, in the order of insertion; undefined: they are read in the order of docKeys. */
  #afterInserted: InsertedPlace | undefined
  #bytesRead = 0
  #countRead = 0
  #isOver = false
  readonly docCount: number

  private constructor(
    requests: ProductRequests,
    scope: string,
    from: {
      moment: string
      among?: Float64Array | undefined
      after?: number
      afterInserted?: InsertedPlace
      docCount: number
    },
  ) {
    this.#requests = requests
    this.#scope = scope
    this.#moment = from.moment
    this.#among = from.among
    this.#after = from.after ?? -1
    this.#afterInserted = from.afterInserted
    this.docCount = from.docCount
  }

  /** @param docKeys only these, ascending @throws ApiError unavailable */
  static async open(
    requests: ProductRequests,
    place: ProductPlace,
    docKeys: Float64Array | undefined,
    after: number,
  ): Promise<MomentScan> {
    try {
      const among = docKeys?.filter((docKey) => docKey > after)
      const moment = await requests.openMoment(place)
      const { left } = await requests.page(moment, place.scope, { after, size: 0 })
      const docCount = among?.length ?? left
      return new MomentScan(requests, place.scope, { moment, among, after, docCount })
    } catch (error) {
      throw clusterFailure(error, 'read the documents')
    }
  }

  /** In the order of insertion. @throws ApiError unavailable */
  static async openInserted(
    requests: ProductRequests,
    place: ProductPlace,
    after: WalkPlace | undefined,
  ): Promise<MomentScan> {
    try {
      const moment = await requests.openMoment(place)
      const { left: docCount } = await requests.page(moment, place.scope, { after: -1, size: 0 })
      const { docKey = -1, inserted = docKey } = after ?? {}
      const afterInserted = { inserted, docKey }
      return new MomentScan(requests, place.scope, { moment, afterInserted, docCount })
    } catch (error) {
      throw clusterFailure(error, 'read the documents')
    }
  }

  async next(bytesMax: number): Promise<readonly ScannedDocument[]> {
    while (this.#page.length === 0 && !this.#isOver) await this.#read()
    let bytes = 0
    const end = this.#page.findIndex(({ json }) => (bytes += json.length) >= bytesMax)
    return this.#page.splice(0, end === -1 ? this.#page.length : end + 1)
  }

  close(): void {
    this.#isOver = true
    this.#page = []
    // An unclosed moment expires.
    void this.#requests.closeMoment(this.#moment).catch(() => undefined)
  }

  async #read(): Promise<void> {
    const size = this.#pageSize()
    const among = this.#nextAmong(size)
    if (among?.length === 0) {
      this.#isOver = true
      return
    }
    try {
      const documents = await this.#readPage(size, among)
      this.#page = documents.map((one) => ({ ...toDocument(one), own: one.own }))
      if (among === undefined && documents.length < size) this.#isOver = true
      this.#after = among?.at(-1) ?? documents.at(-1)?.docKey ?? this.#after
    } catch (error) {
      throw clusterFailure(error, 'read the documents')
    }
    this.#countRead += this.#page.length
    this.#bytesRead += this.#page.reduce((sum, { json }) => sum + json.length, 0)
  }

  async #readPage(size: number, among: number[] | undefined): Promise<StoredProduct[]> {
    const after = this.#afterInserted
    if (after === undefined) {
      const page = { after: this.#after, size, among }
      return (await this.#requests.page(this.#moment, this.#scope, page)).documents
    }
    const documents = await this.#requests.pageInserted(this.#moment, this.#scope, { after, size })
    this.#afterInserted = documents.at(-1) ?? after
    return documents
  }

  #pageSize(): number {
    if (this.#countRead === 0) return FIRST_PAGE
    const size = Math.floor((PAGE_BYTES * this.#countRead) / Math.max(this.#bytesRead, 1))
    return Math.min(Math.max(size, 1), PAGE_MAX)
  }

  #nextAmong(size: number): number[] | undefined {
    const among = this.#among
    if (among === undefined) return undefined
    const from = among.findIndex((docKey) => docKey > this.#after)
    return from === -1 ? [] : [...among.subarray(from, from + size)]
  }
}

export function toDocument({ id, docKey, inserted, json }: StoredProduct): StoredDocument {
  return { id, docKey, inserted, json: Buffer.from(json ?? '') }
}
