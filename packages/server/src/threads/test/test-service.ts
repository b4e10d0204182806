import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { HttpClient, serviceEntry, type HttpRequest } from '@aisle/testing'

/** The sources, or the bundle of them that is beside that of the service. */
export const ENTRY = serviceEntry().endsWith('.js')
  ? join(dirname(serviceEntry()), 'tiny-main.js')
  : join(import.meta.dirname, 'tiny-main.ts')
export const ADMIN_TOKEN = 'admin-token-of-the-tests-of-threads'
/** Beside other work a start takes long. */
const START_MAX_MS = 180_000

/** The service as a separate process, on an index that finds everything. */
export class TestService implements AsyncDisposable {
  readonly child: ChildProcess
  readonly folder: string
  output = ''
  port = 0
  readonly exited: Promise<number | null>

  private constructor(folder: string, flags: string[]) {
    this.folder = folder
    const all = ['--data-dir', folder, '--port', '0', '--demo', 'false', ...flags]
    this.child = spawn(process.execPath, [ENTRY, '--admin-token', ADMIN_TOKEN, ...all])
    this.child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()))
    this.child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()))
    this.exited = new Promise((resolve) => this.child.once('exit', (code) => resolve(code)))
  }

  static async start(flags: string[] = [], folder?: string): Promise<TestService> {
    const service = new TestService(folder ?? mkdtempSync(join(tmpdir(), 'aisle-service-')), flags)
    try {
      await service.until(/"port":(\d+)/, START_MAX_MS)
      service.port = Number(/"port":(\d+)/.exec(service.output)?.[1])
      await service.until(/Every store is searchable/, START_MAX_MS)
    } catch (error) {
      // It would keep the test run from ending.
      service.child.kill('SIGKILL')
      throw error
    }
    return service
  }

  async until(pattern: RegExp, timeoutMs = START_MAX_MS): Promise<void> {
    const endMs = performance.now() + timeoutMs
    while (!pattern.test(this.output)) {
      if (performance.now() > endMs || this.child.exitCode !== null) {
        throw new Error(`No ${pattern} in: ${this.output}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  /** Sends one request on a separate connection, or on one of the given agent. */
  async call(
    method: HttpRequest['method'],
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    agent: Agent | false = false,
  ): Promise<{ status: number; body: Record<string, unknown>; text: string; cookie: string }> {
    const answer = await new HttpClient(`http://localhost:${this.port}`).send({
      method,
      path,
      agent,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = answer.body.toString()
    let parsed: Record<string, unknown> = {}
    try {
      parsed = JSON.parse(text) as Record<string, unknown>
    } catch {
      // Metrics are not JSON.
    }
    const cookie = String(answer.headers['set-cookie'] ?? '')
    return { status: answer.status, body: parsed, text, cookie }
  }

  async createShop(id = 'shop'): Promise<Record<string, string>> {
    const admin = { authorization: `Bearer ${ADMIN_TOKEN}` }
    const created = await this.call('POST', '/api/v1/admin/stores', { name: 'S', id }, admin)
    assert.equal(created.status, 201, created.text)
    const keys = {
      'x-storeid': id,
      'x-store-write-secret': String(created.body['write_secret']),
      'x-storesecret': String(created.body['read_secret']),
    }
    const fields = [{ name: 'n', type: 'int32', sort: true }]
    const schema = await this.call('POST', `/api/v1/stores/${id}/schema`, { fields }, keys)
    assert.equal(schema.status, 200, schema.text)
    return keys
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL')
    await this.exited
    rmSync(this.folder, { recursive: true, force: true })
  }
}
