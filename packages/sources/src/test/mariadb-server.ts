import { join } from 'node:path'
import { freePort, until } from '@aisle/testing'
import { createConnection, type Connection } from 'mysql2/promise'
import { DatabaseProcess, databaseFolder, runProgram } from './database-process.ts'

/** A server of MariaDB in a temporary folder, with the database `shop`. */
export class MariadbServer {
  static readonly password = 'the-password-of-the-shop'
  readonly port: number
  readonly #process: DatabaseProcess
  #client: Connection | undefined

  private constructor(port: number, database: DatabaseProcess) {
    this.port = port
    this.#process = database
  }

  static async start(): Promise<MariadbServer> {
    const folder = databaseFolder('aisle-mariadb-')
    const data = `--datadir=${join(folder, 'data')}`
    const install = ['--no-defaults', data, '--auth-root-authentication-method=normal']
    runProgram('mariadb-install-db', [...install, '--skip-test-db'], folder)
    const port = await freePort()
    const args = [
      '--no-defaults',
      data,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      '--innodb-buffer-pool-size=32M',
      '--innodb-flush-log-at-trx-commit=2',
      '--character-set-server=utf8mb4',
    ]
    const server = new MariadbServer(port, new DatabaseProcess('mariadbd', args, folder))
    await server.restart()
    await server.query('CREATE DATABASE IF NOT EXISTS shop')
    await server.query(`CREATE USER shop@'%' IDENTIFIED BY '${MariadbServer.password}'`)
    await server.query(`GRANT SELECT ON shop.* TO shop@'%'`)
    await server.query('USE shop')
    return server
  }

  /** Starts it, also after it was killed. */
  async restart(): Promise<void> {
    await until(
      () => `MariaDB starts: ${this.#process.output}`,
      async () => {
        if (!this.#process.isRunning) this.#process.start()
        try {
          const socketPath = join(this.#process.folder, 'socket')
          this.#client = await createConnection({ socketPath, user: 'root' })
          this.#client.on('error', () => {})
          return true
        } catch {
          return false
        }
      },
      { pauseMs: 50 },
    )
  }

  async query(text: string, values: unknown[] = []): Promise<unknown> {
    const [rows] = await this.#client!.query(text, values)
    return rows
  }

  async kill(): Promise<void> {
    await this.#process.end('SIGKILL')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client?.destroy()
    await this.#process.remove()
  }
}
