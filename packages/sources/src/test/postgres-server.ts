import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, until } from '@aisle/testing'
import { Client, type QueryResult } from 'pg'
import { DatabaseProcess, databaseFolder, own, runProgram } from './database-process.ts'

const SETTINGS = [
  'wal_level=logical',
  'fsync=off',
  'max_wal_senders=10',
  'max_replication_slots=10',
  'listen_addresses=127.0.0.1',
  'shared_buffers=16MB',
]

/** A server of PostgreSQL in a temporary folder. */
export class PostgresServer {
  static readonly password = 'the-password-of-the-owner'
  readonly port: number
  readonly #process: DatabaseProcess
  #client: Client | undefined

  private constructor(port: number, database: DatabaseProcess) {
    this.port = port
    this.#process = database
  }

  static async start(settings: readonly string[] = []): Promise<PostgresServer> {
    const folder = databaseFolder('aisle-postgres-')
    const [data, passwords] = [join(folder, 'data'), join(folder, 'password')]
    writeFileSync(passwords, PostgresServer.password)
    own(passwords)
    const options = ['-U', 'owner', '-A', 'scram-sha-256', '--pwfile', passwords, '-E', 'UTF8']
    runProgram('initdb', ['-D', data, '--no-sync', ...options], folder)
    const port = await freePort()
    const set = [...SETTINGS, `port=${port}`, `unix_socket_directories=${folder}`, ...settings]
    const args = ['-D', data, ...set.flatMap((one) => ['-c', one])]
    const server = new PostgresServer(port, new DatabaseProcess('postgres', args, folder))
    await server.restart()
    return server
  }

  /** Starts it, also after it was killed. */
  async restart(): Promise<void> {
    await until(
      () => `PostgreSQL starts: ${this.#process.output}`,
      async () => {
        if (!this.#process.isRunning) this.#process.start()
        try {
          this.#client = await this.connect()
          return true
        } catch {
          return false
        }
      },
      { pauseMs: 50 },
    )
  }

  async connect(
    user = 'owner',
    password = PostgresServer.password,
    database = 'postgres',
  ): Promise<Client> {
    const client = new Client({ host: '127.0.0.1', port: this.port, user, password, database })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  async query(text: string, values: unknown[] = []): Promise<QueryResult> {
    return this.#client!.query(text, values)
  }

  async kill(): Promise<void> {
    await this.#process.end('SIGKILL')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client?.end().catch(() => undefined)
    await this.#process.end('SIGINT')
    await this.#process.remove()
  }
}
