import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openRows } from '@aisle/import'
import { DOWNLOAD_LIMITS, openUrl, type DownloadLimits } from './url-source.ts'

const FEED =
  '<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id></item></channel></rss>'

let server: Server
let root: string
/** Requests as they arrived: path and credentials. */
const asked: string[] = []

function respond(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url!, root)
  asked.push(`${pathname} ${request.headers.authorization ?? '-'}`)
  const type = searchParams.get('type')
  if (type !== null) response.setHeader('content-type', type)
  if (pathname === '/loop') response.writeHead(302, { location: '/loop' }).end()
  else if (pathname === '/moved') response.writeHead(301, { location: '/feed.xml' }).end()
  else if (pathname === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end()
  else if (pathname === '/gone.xml') response.writeHead(404).end('no')
  else if (pathname === '/feed.xml.gz') response.end(gzipSync(FEED))
  else if (pathname === '/cut.xml') {
    response.writeHead(200, { 'content-length': 1_000 })
    response.write(FEED)
    setImmediate(() => response.destroy())
  } else if (pathname !== '/silent.xml') response.end(FEED)
}

async function read(
  path: string,
  { format, limits = {} }: { format?: string; limits?: Partial<DownloadLimits> } = {},
): Promise<string[]> {
  const address = path.includes('://') ? path : root + path
  const { signal } = new AbortController()
  const source = await openUrl(address, format, signal, { ...DOWNLOAD_LIMITS, ...limits })
  const rows = await openRows(source, {})
  return (await Array.fromAsync(rows.all)).map((row) => (row.kind === 'json' ? row.text : ''))
}

suite('a file on the web', () => {
  before(async () => {
    server = createServer(respond)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  test('is read in the format of its name, of its type, or the one that is asked for', async () => {
    const product = ['{"id":"1","data":{}}']
    assert.deepEqual(await read('/feed.xml?token=secret'), product)
    assert.deepEqual(await read('/feed.xml.gz'), product)
    assert.deepEqual(await read('/feed?type=application/rss%2Bxml;charset=utf-8'), product)
    assert.deepEqual(await read('/feed', { format: 'xml' }), product)
    assert.deepEqual(await read('/moved', { format: 'xml' }), product)
    await assert.rejects(read('/feed?type=text/html'), {
      exit: 'usage',
      message: /\/feed" nor its type "text\/html" .* add --format/,
    })
  })

  test('gets the name and the password of its URL', async () => {
    asked.length = 0
    await read(`${root.replace('//', '//shop:p%40ss@')}/feed.xml`)
    const basic = Buffer.from('shop:p@ss').toString('base64')
    assert.deepEqual(asked, [`/feed.xml Basic ${basic}`])
  })

  test('is refused beyond the limits, with the URL but without its parameters', async () => {
    const url = (path: string): string => (root + path).replaceAll('.', '\\.')
    const refused = async (
      path: string,
      message: string,
      limits?: Parameters<typeof read>[1],
    ): Promise<void> => {
      await assert.rejects(read(path, { format: 'xml', ...limits }), {
        message: new RegExp(message),
      })
    }
    await refused('/loop?token=secret', `^"${url('/loop')}" redirects more than 5 times$`)
    await refused('/file', 'Cannot read "file:///etc/passwd": expected an http or https URL')
    await refused('ftp://shop.example/feed.xml', 'expected an http or https URL')
    await refused('/gone.xml', `^"${url('/gone.xml')}" answered 404$`)
    await refused('/feed.xml', 'is longer than 20 bytes', {
      limits: { bytesMax: 20 },
    })
    await refused('/silent.xml', 'it did not answer within 0.05 s', {
      limits: { responseMsMax: 50 },
    })
    await refused('/cut.xml', `"${url('/cut.xml')}" was not received to its end: `)
    await refused('http://127.0.0.1:1/feed.xml', 'Cannot read "http://127.0.0.1:1/feed.xml": ')
  })
})
