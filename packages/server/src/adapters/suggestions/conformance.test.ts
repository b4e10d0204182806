import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { createAnalyzer } from '@aisle/engine'
import { LogFolder, logNameOf, RecordBatch } from '@aisle/event-log'
import { until } from '@aisle/testing'
import type { EventLog } from '../../ports/events/event-log.ts'
import {
  SUGGESTION_OWNERS,
  suggestionSourceConformance,
} from '../../ports/suggestions/suggestion-source.conformance.ts'
import { LogFollower } from '../../services/suggestions/log-follower.ts'
import { HistoryFolder } from './history-file.ts'
import { SharedSuggestions } from './shared-suggestions.ts'
import { SuggestionBroadcast } from './suggestion-broadcast.ts'

const NOW_MS = Date.UTC(2026, 5, 15, 12)
const LATER_MS = NOW_MS + 60_000
const analyzer = createAnalyzer('en')

function finished<Result>(steps: Iterator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

function logsIn(folder: string): { logs: LogFolder; events: EventLog } {
  const logs = new LogFolder({ folder, now: () => NOW_MS, onProblem: () => undefined })
  const append: EventLog['append'] = async (owner, { entries }) => {
    const batch = new RecordBatch()
    for (const entry of entries) batch.add(entry)
    return (await logs.append(logNameOf(owner), { records: batch.take(), counts: [] })).duplicates
  }
  const known: EventLog['known'] = () => Promise.resolve([])
  return {
    logs,
    events: {
      append,
      known,
      offer: () => false,
      recent: () => Promise.resolve([]),
      tail: () => () => undefined,
    },
  }
}

suggestionSourceConformance('suggestions of a log on disk, through a port', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-suggestions-'))
  const { logs, events } = logsIn(join(folder, 'events'))
  const { port1, port2 } = new MessageChannel()
  const source = new SharedSuggestions()
  source.connect(port1)
  const broadcast = new SuggestionBroadcast()
  broadcast.connect(port2)
  let received = 0
  port1.on('message', () => received++)
  const histories = new HistoryFolder(folder)
  let sent = 0
  const followers = SUGGESTION_OWNERS.map((owner) => {
    const log = logNameOf(owner)
    const file = histories.of(log)
    const follower = new LogFollower({ files: logs.files(log), file, analyzer, nowMs: NOW_MS })
    return { log, follower }
  })
  return Promise.resolve({
    source,
    events,
    nowMs: NOW_MS,
    settle: async () => {
      for (const { log, follower } of followers) {
        while (follower.step(logs.end(log)));
        follower.tick(LATER_MS)
        broadcast.suggestions(log, finished(follower.build([], LATER_MS)))
        broadcast.popularity(log, follower.buildPopularity(Number, LATER_MS), '', 1)
        sent += 2
      }
      await until('every index that was published', () => received === sent)
    },
    async [Symbol.asyncDispose]() {
      port1.close()
      await logs.close()
      rmSync(folder, { recursive: true, force: true })
    },
  })
})

test('suggestions are made when they are asked for, again by a thread that takes over', async () => {
  const asked: string[] = []
  const folder = mkdtempSync(join(tmpdir(), 'aisle-suggestions-'))
  const { logs } = logsIn(folder)
  const [owner] = SUGGESTION_OWNERS
  const log = logNameOf(owner!)
  const file = new HistoryFolder(folder).of(log)
  const follower = new LogFollower({ files: logs.files(log), file, analyzer, nowMs: NOW_MS })
  const built = finished(follower.build([{ text: 'Acme', docCount: 3 }], LATER_MS))
  const source = new SharedSuggestions()
  const startMaker = (): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    const broadcast = new SuggestionBroadcast(undefined, (name) => {
      asked.push(name)
      broadcast.suggestions(name, built)
      return Promise.resolve()
    })
    broadcast.connect(port2)
    source.connect(port1)
    return port1
  }
  const ports = [startMaker()]
  try {
    const [first, same] = await Promise.all([source.of(owner!), source.of(owner!)])
    assert.equal(first?.matcher.index.texts.get(0), 'acme')
    assert.equal(same, first)
    assert.deepEqual(asked, [log])
    assert.notEqual(await source.of(owner!), undefined)
    assert.deepEqual(asked, [log], 'once is enough')
    ports.push(startMaker())
    await until('the successor was asked', () => asked.length === 2)
    assert.deepEqual(asked, [log, log])
  } finally {
    for (const port of ports) port.close()
    await logs.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a follower continues from its file; a damaged file, or one of another language, is rebuilt', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-follower-'))
  const { logs, events } = logsIn(folder)
  const [owner] = SUGGESTION_OWNERS
  const log = logNameOf(owner!)
  const file = new HistoryFolder(folder).of('log')
  const path = join(folder, 'log.history')
  const follow = (language = 'en'): LogFollower =>
    new LogFollower({
      files: logs.files(log),
      file,
      analyzer: createAnalyzer(language),
      nowMs: NOW_MS,
    })
  try {
    const entry = {
      kind: 'event',
      name: 'search',
      source: 'simple',
      messageId: '1',
      atMs: NOW_MS,
      receivedMs: NOW_MS,
      visitor: { sessionId: 'a' },
      properties: { query: 'tent' },
    } as const
    await events.append(owner!, { entries: [entry], refused: [] })
    const first = follow()
    while (first.step(logs.end(log)));
    first.save(NOW_MS)
    assert.equal(follow().watermark, logs.end(log))
    assert.equal(follow('de').watermark, 0)
    const bytes = readFileSync(path)
    bytes[40]! ^= 1
    writeFileSync(path, bytes)
    assert.equal(follow().watermark, 0)
  } finally {
    await logs.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
