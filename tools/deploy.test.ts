import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { suite } from 'node:test'
import { OPTIONS, variableOf } from '../packages/server/src/config-options.ts'
import { COPIED } from './lib/build-service-package.ts'
import { readSource } from './lib/source-files.ts'

const dockerfile = readSource('deploy/Dockerfile').text

suite('the container', () => {
  test('it contains what the package installs, and its Node', () => {
    const [build = '', image = ''] = dockerfile.split(/^FROM .*$/m).slice(1)
    assert.match(build, /^RUN npm run packages -- aisle-search && npm pack .*packages\/cli\/dist$/m)
    assert.match(build, /^RUN npm install --prefix \/opt\/aisle .*\.\/aisle-search-\*\.tgz$/m)
    assert.deepEqual(image.match(/^COPY .*$/gm), ['COPY --from=build /opt/aisle /opt/aisle'])
    const inside = '/opt/aisle/node_modules/.bin/'
    assert.ok(image.includes(`ln -s ${inside}aisle /usr/local/bin/aisle`))
    assert.ok(image.includes(`"${inside}node"`), 'of the check of health')
    const unit = readSource('deploy/aisle.service').text
    assert.ok(unit.includes(`\nExecStart=${inside}aisle serve\n`))
    assert.match(dockerfile, /^CMD \["aisle", "serve"\]$/m)
  })

  test('npm start and the tools give glibc the same settings as the command', () => {
    const command = readSource('packages/cli/bin/aisle').text
    const settings = [...command.matchAll(/(\w+)="\$\{\1:-([^}]+)\}"/g)]
    assert.equal(settings.length, 3)
    const { start } = (
      JSON.parse(readSource('package.json').text) as { scripts: { start: string } }
    ).scripts
    const tools = readSource('packages/testing/src/server-process.ts').text
    for (const [, name, value] of settings) {
      assert.ok(start.includes(`${name}=${value} `), `npm start: ${name}`)
      assert.ok(tools.includes(`${name}: '${value}'`), `server-process.ts: ${name}`)
    }
  })

  test('all inputs of the package build are copied', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap((match) =>
      match[1]!.split(' '),
    )
    const root = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.packages.json']
    const read = [...root, 'tools', 'packages', ...COPIED.map(([from]) => from)]
    const missing = read.filter(
      (path) => !copied.some((one) => path === one || path.startsWith(`${one}/`)),
    )
    assert.deepEqual(missing, [])
  })

  test('the only install script that runs is that of Node', () => {
    const installs = dockerfile.match(/npm (?:ci|install|i)\b[^&\n]*/g) ?? []
    assert.ok(installs.length > 0)
    for (const one of installs) assert.match(one, /--ignore-scripts/)
    assert.deepEqual(
      new Set(dockerfile.match(/npm rebuild[^&\n]*/g)),
      new Set(['npm rebuild node']),
    )
    const { allowScripts } = JSON.parse(readSource('package.json').text) as {
      allowScripts: Record<string, boolean>
    }
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name])
    assert.deepEqual(allowed, ['node'])
  })

  test('each image has a single name or digest', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map((match) => match[1])
    assert.deepEqual(new Set(bases), new Set(['${BASE}']))
    const base = /^ARG BASE=(.+)$/m.exec(dockerfile)?.[1] ?? ''
    assert.match(base, /^debian:trixie-slim(@sha256:[0-9a-f]{64})?$/)
    assert.doesNotMatch(readSource('deploy/compose.yaml').text, /^\s*image:/m, 'it is built')
  })

  test('memory, tasks, files and privileges are limited, and the proxy of the machine is trusted', () => {
    const compose = readSource('deploy/compose.yaml').text
    for (const line of [
      'mem_limit: ${MEMORY_LIMIT:-4g}',
      'memswap_limit: ${MEMORY_LIMIT:-4g}',
      'pids_limit: 512',
      'nofile: 65536',
      'read_only: true',
      'cap_drop: [ALL]',
      "security_opt: ['no-new-privileges:true']",
      "AISLE_TRUST_PROXY: '172.16.0.0/12'",
      "- '127.0.0.1:7700:7700'",
    ]) {
      assert.ok(compose.includes(line), line)
    }
    const unit = new Set(readSource('deploy/aisle.service').text.split('\n'))
    for (const line of [
      'MemoryMax=75%',
      'MemorySwapMax=0',
      'TasksMax=512',
      'LimitNOFILE=65536',
      'UMask=0077',
      'DynamicUser=yes',
      'NoNewPrivileges=yes',
      'CapabilityBoundingSet=',
      'ProtectSystem=strict',
      'Environment=AISLE_TRUST_PROXY=127.0.0.1',
    ]) {
      assert.ok(unit.has(line), line)
    }
  })

  test('every folder that the service writes to is a volume owned by its user', () => {
    const folders = [...dockerfile.matchAll(/AISLE_\w+_DIR=(\S+)/g)].map((match) => match[1])
    assert.deepEqual(folders, ['/var/lib/aisle', '/snapshots'])
    const owned = /install --directory --owner=aisle --group=aisle (.+)$/m.exec(dockerfile)?.[1]
    const volumes = /^VOLUME (.+)$/m.exec(dockerfile)?.[1]
    for (const list of [owned, volumes]) assert.deepEqual(list?.split(' '), folders)
  })

  test('the service knows every variable of the deployment files', () => {
    const known: string[] = OPTIONS.map(({ name }) => variableOf(name))
    for (const file of ['Dockerfile', 'compose.yaml', 'aisle.service']) {
      const named = readSource(`deploy/${file}`).text.match(/AISLE_[A-Z_]+/g) ?? []
      assert.ok(named.length > 0)
      assert.deepEqual(
        named.filter((name) => !known.includes(name)),
        [],
        file,
      )
    }
  })

  test('the health check reports whether the service is ready', async () => {
    const line = /^HEALTHCHECK [^]*?CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? ''
    const [, ...words] = JSON.parse(line) as string[]
    let status = 200
    const asked: (string | undefined)[] = []
    const server = createServer(({ url }, answer) => {
      asked.push(url)
      answer.writeHead(status).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const check = async (): Promise<unknown> => {
      const env = { AISLE_PORT: String(port) }
      const child = spawn(process.execPath, words, { env, stdio: 'ignore' })
      return (await once(child, 'exit'))[0]
    }
    assert.equal(await check(), 0)
    status = 503
    assert.equal(await check(), 1)
    server.close()
    server.closeAllConnections()
    assert.equal(await check(), 1, 'nobody answers')
    assert.deepEqual(asked, ['/health', '/health'])
  })
})
