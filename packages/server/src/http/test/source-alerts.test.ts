import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, suite, test } from 'node:test'
import {
  ALERT_MAILS_PER_HOUR_MAX,
  FOLLOW_ALERT_AFTER_SECONDS,
  type Source,
  type SourceRun,
} from '@aisle/contract'
import { FakeSmtp, FakeWooCommerce, until, type ReceivedMail } from '@aisle/testing'
import { SmtpMail } from '../../adapters/mail/smtp-mail.ts'
import { ADMIN_TOKEN, createTestApp, type TestStore } from './test-app.ts'

const PASSWORD = 'p@ss of the mail server'
const smtp = await FakeSmtp.start()
const mail = new SmtpMail({
  host: '127.0.0.1',
  port: smtp.port,
  tls: 'off',
  user: 'aisle',
  password: PASSWORD,
  from: 'aisle@shop.example',
})
/** A feed that fails while it has no text, and a webhook. */
let feedText: string | undefined
const hooks: string[] = []
/** Statuses that the webhook answers instead of 200. */
const hookFaults: number[] = []
const web = createServer((request, response) => {
  if (request.method === 'POST') {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      hooks.push(body)
      response.writeHead(hookFaults.shift() ?? 200).end()
    })
    return
  }
  response.writeHead(feedText === undefined ? 500 : 200).end(feedText)
})
await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
const root = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
const woo = await FakeWooCommerce.start()
const testApp = await createTestApp({}, { mail, publicUrl: 'https://search.example' })
after(async () => {
  await testApp[Symbol.asyncDispose]()
  web.closeAllConnections()
  web.close()
  await smtp.close()
  await woo.close()
})

let stores = 0
async function newStore(app = testApp): Promise<TestStore> {
  const store = await app.createStore(`alerts-${stores++}`)
  const url = `/api/v1/stores/${store.id}/schema`
  const fields = [{ name: 'title', type: 'string', searchable: true }]
  await app.call({ method: 'POST', url, headers: store.write, body: { fields } })
  return store
}

const urlOf = (store: TestStore, rest = ''): string =>
  `/api/v1/stores/${store.id}/sources/feed${rest}`

const put = (store: TestStore, body: object, app = testApp): ReturnType<(typeof testApp)['call']> =>
  app.call({ method: 'PUT', url: urlOf(store), headers: store.write, body })

async function run(store: TestStore): Promise<SourceRun> {
  const url = urlOf(store, '/runs')
  const begun = await testApp.call({ method: 'POST', url, headers: store.write, body: {} })
  const { id } = begun.json() as SourceRun
  return until('the end of the run', async () => {
    const answer = await testApp.call({ url: urlOf(store, `/runs/${id}`), headers: store.write })
    const one = answer.json().run as SourceRun
    const { running } = await get(store)
    return one.state === 'running' || running !== undefined ? undefined : one
  })
}

const get = async (store: TestStore): Promise<Source> =>
  (await testApp.call({ url: urlOf(store), headers: store.write })).json()

/** Messages of a store, the oldest first. */
const mailsOf = (store: TestStore): ReceivedMail[] =>
  smtp.received.filter(({ subject }) => subject.includes(`store ${store.id} `))

const mails = (store: TestStore, count: number): Promise<ReceivedMail[]> =>
  until(
    `${count} e-mails`,
    async () => (mailsOf(store).length >= count ? mailsOf(store) : undefined),
    { timeoutMs: 60_000 },
  )

suite('the alerts of a source', () => {
  test('reach each address when a run fails, and when the next one is good', async () => {
    const store = await newStore()
    feedText = undefined
    const connection = { kind: 'feed', url: `${root}/feed.csv` }
    const emails = ['ana@shop.example', 'bob@shop.example']
    const answer = await put(store, { connection, alerts: { emails } })
    assert.deepEqual((answer.json() as Source).alerts, { emails })
    const failed = await run(store)
    const first = await mails(store, 2)
    assert.deepEqual(first.map(({ to }) => to).toSorted(), emails)
    const [{ subject, raw, from } = assert.fail()] = first
    assert.equal(subject, `[Aisle] Source feed of store ${store.id} failed`)
    assert.equal(from, 'aisle@shop.example')
    for (const text of [
      failed.id,
      'answered 500',
      'Last good run: none',
      `https://search.example/stores/${store.id}/sources?source=feed`,
      'Auto-Submitted: auto-generated',
    ]) {
      assert.ok(plain(raw).includes(text), `${text}\n${raw}`)
    }
    assert.equal(smtp.logins[0], `aisle:${PASSWORD}`)
    feedText = 'id,title\n1,Tent'
    await run(store)
    const all = await mails(store, 4)
    assert.match(all[3]!.subject, /works again$/)
    await run(store)
    assert.equal(mailsOf(store).length, 4, 'a good run after a good run is not told')
  })

  test('are tried again while the mail server or the webhook is busy', async () => {
    const store = await newStore()
    feedText = undefined
    smtp.faults.push('451 4.3.0 Try later')
    hookFaults.push(503)
    const alerts = { webhook: `${root}/hook`, emails: ['ana@shop.example'] }
    await put(store, { connection: { kind: 'feed', url: `${root}/feed.csv` }, alerts })
    const before = hooks.length
    await run(store)
    await mails(store, 1)
    await until('two attempts of the webhook', async () => hooks.length === before + 2 || undefined)
    assert.equal(hooks[before], hooks[before + 1])
    assert.equal(JSON.parse(hooks[before]!).event, 'failed')
    // A refusal that lasts is not tried again.
    smtp.faults.push('550 5.1.1 No such user')
    await run(store)
    await run(store)
    await mails(store, 2)
    assert.equal(smtp.faults.length, 0)
  })

  test('are sent by e-mail only some times an hour', async () => {
    const store = await newStore()
    feedText = undefined
    const alerts = { webhook: `${root}/hook`, emails: ['ana@shop.example'] }
    await put(store, { connection: { kind: 'feed', url: `${root}/feed.csv` }, alerts })
    const before = hooks.length
    for (let i = 0; i < ALERT_MAILS_PER_HOUR_MAX + 2; i++) await run(store)
    await mails(store, ALERT_MAILS_PER_HOUR_MAX)
    const isTold = (): true | undefined =>
      hooks.length === before + ALERT_MAILS_PER_HOUR_MAX + 2 || undefined
    await until('all webhooks', async () => isTold())
    assert.equal(mailsOf(store).length, ALERT_MAILS_PER_HOUR_MAX)
    testApp.time.nowMs += 3_600_000
    await run(store)
    await mails(store, ALERT_MAILS_PER_HOUR_MAX + 1)
  })

  test('say that changes cannot be read for long, and that they arrive again', async () => {
    const store = await newStore()
    woo.put({ id: 1, name: 'Mug', regularPrice: '12' })
    await put(store, {
      connection: { kind: 'woocommerce', url: woo.url },
      secrets: { consumer_key: woo.key, consumer_secret: woo.secret },
      alerts: { webhook: `${root}/hook`, emails: ['ana@shop.example'] },
    })
    assert.equal((await run(store)).state, 'done')
    const read = await until('the first answer', async () => (await get(store)).following, {
      timeoutMs: 30_000,
    })
    assert.equal(read.error, undefined)
    // A wrong key from now on: the connection that follows ends with the pause.
    for (let i = 0; i < 1_000; i++) woo.faults.push({ status: 401 })
    const act = (action: string): unknown =>
      testApp.call({ method: 'POST', url: urlOf(store, `/${action}`), headers: store.write })
    await act('pause')
    await until('the end', async () => (await get(store)).following === undefined || undefined)
    await act('resume')
    const failing = await until(
      'a failure',
      async () => (await get(store)).following?.failing_since,
      { timeoutMs: 30_000 },
    )
    assert.deepEqual(mailsOf(store), [], 'a short failure is not told')
    testApp.time.nowMs += FOLLOW_ALERT_AFTER_SECONDS * 1_000
    const [told = assert.fail()] = await mails(store, 1)
    assert.match(told.subject, /receives no changes$/)
    assert.ok(plain(told.raw).includes(`Failing since: ${failing}`), told.raw)
    assert.equal((await get(store)).health, 'failing')
    woo.faults.length = 0
    const all = await mails(store, 2)
    assert.match(all[1]!.subject, /receives changes again$/)
    const { following, health } = await get(store)
    assert.deepEqual(
      [following?.error, following?.failing_since, health],
      [undefined, undefined, 'ok'],
    )
    assert.ok(following?.last_read_at !== undefined)
    // Of the last poll.
    await until('metrics', async () => {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
      const { body } = await testApp.call({ url: '/metrics', headers })
      const names = ['good_age_seconds', 'follow_lag_seconds'].map(
        (name) => `aisle_source_${name}{`,
      )
      return names.every((name) => body.includes(name)) && /follow_errors_total\S+ [1-9]/.test(body)
    })
    const events = hooks.slice(-2).map((body) => (JSON.parse(body) as { event: string }).event)
    assert.deepEqual(events, ['following_failed', 'following_recovered'])
  })

  test('have addresses, and need a mail server', async () => {
    const store = await newStore()
    const connection = { kind: 'feed', url: `${root}/feed.csv` }
    for (const emails of [
      ['ana'],
      ['a@b.example\r\nBcc: c@d.example'],
      Array(11).fill('a@b.example'),
    ]) {
      const answer = await put(store, { connection, alerts: { emails } })
      const { code, param } = answer.json() as { code: string; param: string }
      assert.deepEqual([answer.statusCode, code], [400, 'invalid_parameter'])
      assert.match(param, /^alerts\.emails/)
    }
    await using without = await createTestApp()
    const other = await newStore(without)
    const answer = await put(
      other,
      { connection, alerts: { emails: ['ana@shop.example'] } },
      without,
    )
    assert.deepEqual([answer.statusCode, answer.json().param], [400, 'alerts.emails'])
    assert.match(answer.json().error, /--smtp-url/)
  })

  test('name no password when the mail server refuses it', async () => {
    const wrong = new SmtpMail({
      host: '127.0.0.1',
      port: smtp.port,
      tls: 'off',
      user: 'aisle',
      password: 'wrong',
      from: 'aisle@shop.example',
    })
    const message = { to: 'ana@shop.example', subject: 'x', text: 'x' }
    await assert.rejects(wrong.send(message), (error: Error & { isFinal: boolean }) => {
      assert.doesNotMatch(error.message, /wrong/)
      assert.match(error.message, /535/)
      return error.isFinal
    })
  })
})

/** Of quoted-printable text. */
function plain(raw: string): string {
  return raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
}
