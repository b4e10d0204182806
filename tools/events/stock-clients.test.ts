import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { jitsuAnalytics } from '@jitsu/js'
import RudderAnalytics from '@rudderstack/rudder-sdk-node'
import { Analytics } from '@segment/analytics-node'
import type { ServerProcess } from '@aisle/testing'
import type { EventStore } from './event-store.ts'
import { AT, PROPERTIES, arrived, checkDelivered, positionOf, startIngest } from './stock-events.ts'

// Goal: stock clients for servers deliver events unchanged, to `/v1/b` and to their built-in paths.
// Method: runs each against a running server, then reads the log on disk.

suite('stock clients for servers', () => {
  let server: ServerProcess
  let store: EventStore
  let writeKey: string
  before(async () => {
    ;({ server, store } = await startIngest())
    ;({ writeKey } = store)
  })
  after(() => server.stop())

  for (const path of ['/v1/b', undefined]) {
    test(`@segment/analytics-node, ${path ?? 'its own path'}`, async () => {
      const from = positionOf(store)
      const errors: unknown[] = []
      const analytics = new Analytics({
        writeKey,
        host: server.url,
        ...(path === undefined ? {} : { path }),
      })
      analytics.on('error', (error) => errors.push(error))
      const visitor = { anonymousId: `anon-segment-${path}` }
      analytics.track({
        ...visitor,
        event: 'Object Clicked',
        properties: PROPERTIES,
        timestamp: AT,
      })
      analytics.identify({ ...visitor, userId: 'user-1', traits: { plan: 'x' } })
      analytics.page({ ...visitor, name: 'Home' })
      await analytics.closeAndFlush()
      assert.deepEqual(errors, [])
      checkDelivered(arrived(store, from), visitor.anonymousId)
    })

    test(`@rudderstack/rudder-sdk-node, ${path ?? 'its own path'}`, async () => {
      const from = positionOf(store)
      const client = new RudderAnalytics(writeKey, {
        dataPlaneUrl: server.url,
        ...(path === undefined ? {} : { path }),
      })
      const sent = (send: (done: (error?: Error) => void) => void): Promise<void> =>
        new Promise((resolve, reject) => {
          send((error) => (error instanceof Error ? reject(error) : resolve()))
        })
      const visitor = { anonymousId: `anon-rudder-${path}` }
      const click = {
        ...visitor,
        event: 'Object Clicked',
        properties: PROPERTIES,
        timestamp: AT,
      }
      const all = [
        sent((done) => client.track(click, done)),
        sent((done) => client.identify({ ...visitor, userId: 'user-1' }, done)),
        sent((done) => client.page({ ...visitor, name: 'Home' }, done)),
      ]
      await client.flush()
      await Promise.all(all)
      checkDelivered(arrived(store, from), visitor.anonymousId)
    })
  }

  test('@jitsu/js, its own paths, with the key in a header', async () => {
    const from = positionOf(store)
    // The client accepts only keys with two parts; the first is the events key.
    const analytics = jitsuAnalytics({
      host: server.url,
      writeKey: `${writeKey}:shop`,
      s2s: true,
      errorPolicy: 'rethrow',
    })
    const visitor = { anonymousId: 'anon-jitsu' }
    await analytics.track('Object Clicked', PROPERTIES, visitor)
    await analytics.identify('user-1', { plan: 'x' }, visitor)
    await analytics.page({ name: 'Home' }, visitor)
    checkDelivered(arrived(store, from), visitor.anonymousId, new Date())
  })
})
