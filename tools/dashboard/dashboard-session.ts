import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { ServerProcess } from '@aisle/testing'
import { buildDashboard } from '../../packages/dashboard/build/build-dashboard.ts'
import { demoCatalog } from '../../packages/server/src/demo/demo-catalog.ts'
import { launchBrowser } from '../lib/browser.ts'

export const PASSWORD = 'correct horse battery staple'
/** One user of each role, in every service of these tests. */
export const LOGINS = {
  owner: 'olga@example.com',
  editor: 'edith@example.com',
  analyst: 'anna@example.com',
} as const
export type Login = keyof typeof LOGINS
type Cookies = Parameters<ReturnType<Page['context']>['addCookies']>[0]

/** Which pictures of products may come from; nothing answers there but a test. */
export const IMAGE_HOST = 'https://images.example.com'

/** Of how many products a store of these tests is, unless it says otherwise. */
const PRODUCTS_DEFAULT = 60

/**
 * A service with users, and a browser, for the tests of all screens: they share it, and each makes
 * the stores that it changes.
 */
export class DashboardSession {
  readonly browser: Browser
  readonly service: ServerProcess
  readonly #cookies = new Map<Login, Cookies>()
  readonly #pages = new Map<Login | undefined, Page>()

  private constructor(browser: Browser, service: ServerProcess) {
    this.browser = browser
    this.service = service
  }

  static async start(): Promise<DashboardSession> {
    await buildDashboard()
    const [browser, service] = await Promise.all([
      launchBrowser(),
      ServerProcess.start({
        threads: 1,
        environment: {
          AISLE_DASHBOARD_IMAGE_HOSTS: IMAGE_HOST,
          AISLE_SOURCE_NETWORKS: '127.0.0.1',
        },
      }),
    ])
    const session = new DashboardSession(browser, service)
    for (const [role, login] of Object.entries(LOGINS)) {
      await session.admin('POST', '/users', { login, role, password: PASSWORD })
    }
    return session
  }

  async stop(): Promise<void> {
    await this.browser.close()
    await this.service.stop()
  }

  /** Logs in once; checking a password is slow on purpose. */
  async cookiesOf(login: Login | undefined): Promise<Cookies> {
    if (login === undefined) return []
    const known = this.#cookies.get(login)
    if (known !== undefined) return known
    const context = await this.browser.newContext()
    const answer = await context.request.post(`${this.service.url}/api/v1/admin/session`, {
      data: { login: LOGINS[login], password: PASSWORD },
    })
    assert.equal(answer.status(), 201)
    const cookies = await context.cookies()
    await context.close()
    this.#cookies.set(login, cookies)
    return cookies
  }

  /** A page that a test of this login has left, if there is one. */
  takePage(login: Login | undefined): Page | undefined {
    const page = this.#pages.get(login)
    this.#pages.delete(login)
    return page
  }

  keepPage(login: Login | undefined, page: Page): void {
    this.#pages.set(login, page)
  }

  /** A call of the admin routes, with the admin token. */
  async admin<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return await this.#call(method, `/api/v1/admin${path}`, body, {
      authorization: `Bearer ${this.service.adminToken}`,
    })
  }

  /** A store with the first products of the demo shop. */
  async createStore(
    id: string,
    { name = `Shop ${id}`, products = PRODUCTS_DEFAULT }: { name?: string; products?: number } = {},
  ): Promise<TestStore> {
    const made = await this.admin<{
      read_secret: string
      write_secret: string
      events_write_key: string
    }>('POST', '/stores', { name, id })
    const headers = { 'x-storeid': id, 'x-store-write-secret': made.write_secret }
    const call = <Answer>(method: string, path: string, body?: unknown): Promise<Answer> =>
      this.#call(method, `/api/v1/stores/${id}${path}`, body, headers)
    if (products > 0) {
      const { schema, documents } = demoCatalog()
      await call('POST', '/schema', { fields: schema.fields })
      await call('POST', '/documents/bulk', {
        documents: documents.slice(0, products).map((one) => ({ ...one, action: 'upsert' })),
      })
    }
    return {
      id,
      name,
      readSecret: made.read_secret,
      writeSecret: made.write_secret,
      eventsKey: made.events_write_key,
      call,
    }
  }

  async #call<Answer>(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const answer = await fetch(this.service.url + path, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as Answer
  }
}

export interface TestStore {
  readonly id: string
  readonly name: string
  readonly readSecret: string
  readonly writeSecret: string
  readonly eventsKey: string
  /** A call below `/api/v1/stores/ID` with the write secret. */
  readonly call: <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>
}
