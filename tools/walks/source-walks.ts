import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { world, type Walk } from './walk.ts'

/** Products that the walks before these do not have. */
const FEED = 'id,title\nfeed-1,From a feed\nfeed-2,From a feed as well\n'
const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/csv').end(FEED)
})

/** Serves the feed that the walks read. */
export async function serveFeed(): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  world.said.set('feed', `http://127.0.0.1:${port}/feed.csv`)
}

export function closeFeed(): void {
  server.closeAllConnections()
  server.close()
}

const feed = (): string => world.said.get('feed')!
const SCHEDULE = ['--schedule', '0 5 * * *']
const UNKNOWN = { exit: 'refused', complains: /no source with this name/ } as const

/** Commands for the sources of a store, in order. */
export const SOURCE_WALKS: readonly Walk[] = [
  {
    command: 'source add',
    text: () => ['first', feed(), ...SCHEDULE],
    says: /^Saved source "first", next run /,
    json: () => ['second', feed(), '--remove-missing', '--max-removed', '10'],
    gives: (one: { max_removed_share: number; health: string }) =>
      one.max_removed_share === 0.1 && one.health === 'new',
    wrong: () => ['third', 'ftp://shop.example/feed.csv'],
    exit: 'refused',
    complains: /http or https URL/,
  },
  {
    command: 'source list',
    text: () => [],
    says: /^first +feed +new +0 /m,
    json: () => [],
    gives: ({ sources }: { sources: object[] }) => sources.length === 2,
    wrong: () => ['--store', 'none'],
    exit: 'refused',
    complains: /store/,
  },
  {
    command: 'source show',
    text: () => ['first'],
    says: /^schedule +0 5 \* \* \* \(UTC\)$/m,
    json: () => ['second'],
    gives: ({ deletions }: { deletions: string }) => deletions === 'remove_missing',
    wrong: () => ['third'],
    ...UNKNOWN,
  },
  {
    command: 'source dry-run',
    text: () => ['first'],
    says: /^Would write: 2 added, [^]*\+ feed-1 /,
    json: () => ['second'],
    gives: ({ run }: { run: { kind: string; added: number } }) =>
      run.kind === 'dry_run' && run.added === 2,
    wrong: () => ['third'],
    ...UNKNOWN,
  },
  {
    command: 'source run',
    text: () => ['first'],
    says: /^Wrote: 2 added, /,
    json: () => ['second', '--full'],
    gives: ({ run }: { run: { id: string; state: string } }) => {
      world.said.set('source run', run.id)
      return run.state === 'done'
    },
    wrong: () => ['third'],
    ...UNKNOWN,
  },
  {
    command: 'source runs',
    text: () => ['first'],
    says: / dry run +done +2 /,
    json: () => ['second', world.said.get('source run')!],
    gives: ({ diff }: { diff: { added: object[] } }) => diff.added.length === 2,
    wrong: () => ['second', 'none'],
    exit: 'refused',
    complains: /no run with this id/,
  },
  {
    command: 'source cancel',
    text: () => ['second', world.said.get('source run')!],
    says: /: done\.$/m,
    json: () => ['second', world.said.get('source run')!],
    gives: ({ state }: { state: string }) => state === 'done',
    wrong: () => ['second', 'none'],
    exit: 'refused',
    complains: /no run with this id/,
  },
  {
    command: 'source pause',
    text: () => ['first'],
    says: /^Paused "first"\.$/m,
    json: () => ['second'],
    gives: ({ paused }: { paused: boolean }) => paused,
    wrong: () => ['third'],
    ...UNKNOWN,
  },
  {
    command: 'source resume',
    text: () => ['first'],
    says: /^Resumed "first", next run /,
    json: () => ['second'],
    gives: ({ paused }: { paused: boolean }) => !paused,
    wrong: () => ['third'],
    ...UNKNOWN,
  },
  {
    command: 'source rm',
    text: () => ['first'],
    says: /^Deleted source "first"/,
    json: () => ['second'],
    gives: ({ status }: { status: string }) => status === 'deleted',
    wrong: () => ['third'],
    ...UNKNOWN,
  },
]
