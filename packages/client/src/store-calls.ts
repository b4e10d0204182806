import type { Call } from './call.ts'
import type { Secret } from './errors.ts'
import { pathSegment } from './path-segment.ts'
import { StoreSearch, type AnyDocument } from './store-search.ts'
import type { Tagged, Written } from './store-values.ts'
import type { Transport } from './transport.ts'

type Parse = (json: string) => unknown
/** Options of a call besides its address. */
type CallRest = Pick<Call, 'body' | 'query' | 'contentType' | 'ifMatch' | 'signal'>

/** How the calls of one store are sent. */
export class StoreCalls<Document = AnyDocument> extends StoreSearch<Document> {
  protected readonly transport: Transport
  protected readonly storeId: string

  constructor(transport: Transport, storeId: string) {
    super(transport, storeId)
    this.transport = transport
    this.storeId = storeId
  }

  protected async tagged<Value>(path: string, parse = JSON.parse as Parse): Promise<Tagged<Value>> {
    const response = await this.transport.send(this.request('write', 'GET', path, {}))
    const etag = response.headers.get('etag') ?? '*'
    return { value: parse(await response.text()) as Value, etag }
  }

  protected async written<Answer extends object>(
    method: Call['method'],
    path: string,
    rest: CallRest,
  ): Promise<Written<Answer>> {
    const { answer, headers } = await this.transport.answer<Answer>(
      this.request('write', method, path, rest),
    )
    return { ...answer, etag: headers.get('etag') ?? '*' }
  }

  protected call<Answer>(
    secret: Secret,
    method: Call['method'],
    path: string,
    rest: CallRest = {},
  ): Promise<Answer> {
    return this.transport.json(this.request(secret, method, path, rest))
  }

  protected request(secret: Secret, method: Call['method'], path: string, rest: CallRest): Call {
    const storeId = this.storeId
    const store = `/api/v1/stores/${pathSegment(storeId)}`
    return { method, path: store + path, secret, storeId, ...rest }
  }
}
