import type { PutSourceRequest, Source, SourceRun, SourceRunDetail } from '@aisle/contract'
import { ServerProcess, ThinClient, until, writeHeaders, type StoreKeys } from '@aisle/testing'

/** A run of a large table on a busy machine. */
const RUN_MS_MAX = 1_800_000

/** A service with a store and a source, which can be killed and started again. */
export class FollowedShop {
  server: ServerProcess
  client: ThinClient
  readonly keys: StoreKeys

  private constructor(server: ServerProcess, client: ThinClient, keys: StoreKeys) {
    this.server = server
    this.client = client
    this.keys = keys
  }

  static async start(fields: readonly object[]): Promise<FollowedShop> {
    const server = await startServer()
    const client = new ThinClient(server.url, { adminToken: server.adminToken })
    const keys = await client.createStore({ name: 'Shop', id: 'shop' })
    await client.setSchema(keys, { fields })
    return new FollowedShop(server, client, keys)
  }

  async kill(): Promise<void> {
    await this.server.kill()
    this.client.close()
    this.server = await startServer(this.server.dataDir)
    this.client = new ThinClient(this.server.url, { adminToken: this.server.adminToken })
  }

  async call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.server.url}/api/v1/stores/shop/sources/${path}`, {
      method,
      headers: {
        ...writeHeaders(this.keys),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Answer
  }

  /** Creates the source `db` and runs it once. */
  async connect(request: PutSourceRequest): Promise<SourceRun> {
    await this.call('PUT', 'db', request)
    return this.run('db')
  }

  async run(name = 'db'): Promise<SourceRun> {
    const { id } = await this.call<SourceRun>('POST', `${name}/runs`, {})
    const ended = async (): Promise<SourceRunDetail | undefined> => {
      const detail = await this.call<SourceRunDetail>('GET', `${name}/runs/${id}`)
      return detail.run.state === 'running' ? undefined : detail
    }
    const { run } = await until('the end of the run', ended, { timeoutMs: RUN_MS_MAX, pauseMs: 50 })
    return run
  }

  source(): Promise<Source> {
    return this.call('GET', 'db')
  }

  /** All documents, by id. */
  async documents(): Promise<Map<string, unknown>> {
    const response = await fetch(`${this.server.url}/api/v1/stores/shop/documents`, {
      headers: writeHeaders(this.keys),
    })
    const lines = (await response.text()).split('\n').filter((line) => line !== '')
    const entries = lines.map((line) => JSON.parse(line) as { id: string; data: unknown })
    return new Map(entries.map(({ id, data }) => [id, data]))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client.close()
    await this.server.stop({ keepData: true })
    ServerProcess.removeData(this.server.dataDir)
  }
}

function startServer(dataDir?: string): Promise<ServerProcess> {
  return ServerProcess.start({
    threads: 1,
    environment: { AISLE_SOURCE_NETWORKS: '127.0.0.1' },
    ...(dataDir === undefined ? {} : { dataDir }),
  })
}
