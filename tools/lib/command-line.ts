import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServerProcess } from '@aisle/testing'
import { runAisle, type Ran, type RunOptions } from './run-aisle.ts'

export interface Answer extends Ran {
  /** The output with `--json`. */
  readonly json: () => never
}

/**
 * Runs commands of `aisle` against a separate service, on the store `shop`, with a folder for
 * files.
 */
export class CommandLine {
  readonly server: ServerProcess
  readonly folder = mkdtempSync(join(tmpdir(), 'aisle-command-line-'))
  /** Environment of every command; tests add secrets. */
  readonly environment: Record<string, string>

  private constructor(server: ServerProcess) {
    this.server = server
    this.environment = {
      AISLE_URL: server.url,
      AISLE_STORE: 'shop',
      AISLE_ADMIN_TOKEN: server.adminToken,
    }
  }

  /** @param environment of the service */
  static async start(environment: Record<string, string> = {}): Promise<CommandLine> {
    return new CommandLine(await ServerProcess.start({ threads: 1, environment }))
  }

  async run(words: readonly string[], options: RunOptions = {}): Promise<Answer> {
    const environment = { ...this.environment, ...options.environment }
    const ran = await runAisle(words, { ...options, environment })
    return { ...ran, json: () => JSON.parse(ran.out) as never }
  }

  /** Runs a command that must succeed. */
  async well(...words: string[]): Promise<Answer> {
    const answer = await this.run(words)
    assert.equal(answer.exit, 0, `${words.join(' ')}: ${answer.err}`)
    return answer
  }

  /** @returns its path */
  file(name: string, content: string): string {
    const path = join(this.folder, name)
    writeFileSync(path, content)
    return path
  }

  async stop(): Promise<void> {
    await this.server.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
