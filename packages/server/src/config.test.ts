import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { suite } from 'node:test'
import { ConfigError, helpText, OPTIONS, optionsTable } from './config-options.ts'
import { readConfig } from './config.ts'
import type { Config } from './config.ts'

function read(flags: string[], environment: Record<string, string> = {}): Config {
  const config = readConfig(flags, environment)
  assert.notEqual(config, 'help')
  return config as Config
}

suite('configuration', () => {
  test('without any options, the defaults apply', () => {
    const config = read([])
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.port, 7_700)
    assert.equal(config.dataDir, './data')
    assert.equal(config.adminToken, undefined)
    assert.equal(config.demo, true)
    assert.equal(config.rateLimit, 2_000)
    assert.equal(config.trustProxy, false)
    assert.ok(config.threads >= 1)
  })

  test('a cluster has one or more addresses and may need a password', () => {
    assert.equal(read([]).cluster, undefined)
    const given = [
      '--opensearch-url',
      'https://a:9200, https://b:9200/',
      '--opensearch-user',
      'ada',
    ]
    assert.deepEqual(read(given, { AISLE_OPENSEARCH_PASSWORD: 'word' }).cluster, {
      urls: ['https://a:9200', 'https://b:9200'],
      username: 'ada',
      password: 'word',
      caCertificate: undefined,
      prefix: 'aisle',
      snapshotRepository: undefined,
    })
    assert.throws(
      () => read(['--opensearch-url', 'htp://ada:word@a:9200']),
      (error: Error) => !error.message.includes('word@') && !error.message.includes('ada:'),
    )
  })

  test('the password of a cluster is not sent unencrypted, unless to this machine or on request', () => {
    const reads = (...flags: string[]) =>
      read([...flags, '--opensearch-user', 'ada', '--opensearch-password', 'word']).cluster?.urls
    for (const url of [
      'https://search-1:9200',
      'http://localhost:9200',
      'http://127.0.0.1:9200',
      'http://127.8.8.8:9200',
      'http://[::1]:9200',
    ]) {
      assert.deepEqual(reads('--opensearch-url', url), [url])
    }
    for (const url of [
      'http://search-1:9200',
      'http://10.0.0.1:9200',
      'http://127.example.com:9200',
      'http://localhost.example.com:9200',
      'http://0.0.0.0:9200',
      'https://search-1:9200,http://search-2:9200',
    ]) {
      assert.throws(() => reads('--opensearch-url', url), /must begin with https/, url)
      assert.ok(reads('--opensearch-url', url, '--opensearch-allow-http', 'true'))
    }
    assert.ok(read(['--opensearch-url', 'http://search-1:9200']).cluster, 'without a password')
  })

  test('the keys of secrets are two lines at most, the current one first', () => {
    const folder = mkdtempSync(join(tmpdir(), 'aisle-keys-'))
    const file = join(folder, 'keys')
    const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const keysOf = (...lines: string[]) => {
      writeFileSync(file, lines.join('\n'))
      return read(['--opensearch-url', 'http://a:9200', '--secrets-key-file', file]).cluster
        ?.secretsKeys
    }
    const [one, two] = [first.toString('base64'), second.toString('base64')]
    try {
      assert.deepEqual(keysOf(one), [first])
      assert.deepEqual(keysOf('# of May', two, '', ` ${one}\r`, ''), [second, first])
      assert.deepEqual(keysOf('plain', one), ['plain', first])
      for (const lines of [
        [],
        ['plain'],
        [one, two, 'plain'],
        [one, one],
        [one.slice(1)],
        [`${one.slice(0, -1)}!`],
        [first.toString('hex')],
        ['a secret'],
      ]) {
        assert.throws(() => keysOf(...lines), /must have one key per line/, lines.join())
      }
      assert.throws(() => read(['--secrets-key-file', file]), /needs --opensearch-url/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('flags override variables, variables override the file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'aisle-config-'))
    const file = join(folder, 'aisle.json')
    writeFileSync(file, '{"port": 1, "rate_limit": 1, "drain_seconds": 1, "demo": false}')
    const environment = { AISLE_CONFIG: file, AISLE_PORT: '2', AISLE_RATE_LIMIT: '2' }
    const config = read(['--port', '3', '--trust-proxy=10.0.0.0/8, 127.0.0.1'], environment)
    rmSync(folder, { recursive: true })
    assert.deepEqual(
      [config.port, config.rateLimit, config.drainSeconds, config.demo, config.trustProxy],
      [3, 2, 1, false, ['10.0.0.0/8', '127.0.0.1']],
    )
  })

  test('invalid options are rejected in one line', () => {
    const bad: [string[], Record<string, string>][] = [
      [['--prot', '1'], {}],
      [['--port', '65536'], {}],
      [['--port', '1.5'], {}],
      [['--port'], {}],
      [['extra'], {}],
      [[], { AISLE_DEMO: 'maybe' }],
      [[], { AISLE_PROT: '1' }],
      [[], { AISLE_LOG_LEVEL: 'loud' }],
      [['--log-format', 'xml'], {}],
      [['--admin-token', 'x'.repeat(31)], {}],
      [[], { AISLE_ADMIN_TOKEN: 'x'.repeat(31) }],
      [['--config', '/does/not/exist'], {}],
      [['--opensearch-url', 'search-1:9200'], {}],
      [['--opensearch-url', 'http://a:9200,,http://b:9200'], {}],
      [['--opensearch-url', 'https://user:word@search-1:9200'], {}],
      [['--opensearch-url', 'http://a:9200', '--opensearch-password', 'word'], {}],
      [['--opensearch-url', 'http://a:9200', '--opensearch-ca-file', '/does/not/exist'], {}],
      [['--opensearch-url', 'http://a:9200', '--opensearch-prefix', 'Aisle*'], {}],
      [['--opensearch-url', 'http://a:9200', '--secrets-key-file', '/does/not/exist'], {}],
      [['--opensearch-user', 'ada'], {}],
    ]
    for (const [flags, environment] of bad) {
      assert.throws(
        () => readConfig(flags, environment),
        (error) => error instanceof ConfigError && !error.message.includes('\n'),
        JSON.stringify([flags, environment]),
      )
    }
  })

  test('hosts of pictures become origins; nothing else gets into the policy', () => {
    const hosts = (text: string): readonly string[] =>
      read(['--dashboard-image-hosts', text]).imageHosts
    assert.deepEqual(read([]).imageHosts, [])
    assert.deepEqual(
      hosts('Images.example.com, *.cdn.example.net:8443,https://bücher.example/,localhost:9000'),
      [
        'https://images.example.com',
        'https://*.cdn.example.net:8443',
        'https://xn--bcher-kva.example',
        'https://localhost:9000',
      ],
    )
    assert.deepEqual(hosts('http://localhost:9000,http://127.0.0.1, http://localhost:9000'), [
      'http://localhost:9000',
      'http://127.0.0.1',
    ])
    for (const bad of [
      '*',
      'https:',
      '*.com',
      'images',
      "a.example.com; script-src 'unsafe-inline'",
      "a.example.com 'unsafe-inline'",
      'a.example.com;b.example.com',
      'http://images.example.com',
      'ftp://images.example.com',
      'data:',
      'https://images.example.com/folder',
      'https://a@images.example.com',
      'images.example.com?x',
      'a.*.example.com',
      `${'a'.repeat(64)}.example.com`,
      Array.from({ length: 51 }, (_, i) => `h${i}.example.com`).join(','),
    ]) {
      assert.throws(() => hosts(bad), ConfigError, bad)
    }
    // A broken line in a file of variables.
    assert.deepEqual(hosts('a.example.com,\r\n b.example.com'), [
      'https://a.example.com',
      'https://b.example.com',
    ])
  })

  test('variables of the tools of this repository are not refused', () => {
    // A service that a test starts inherits them.
    assert.equal(read([], { AISLE_JAVA: 'java', AISLE_DATASETS: '.' }).port, 7_700)
  })

  test('an empty variable counts as unset', () => {
    assert.equal(read([], { AISLE_PORT: '' }).port, 7_700)
  })

  test('help names every option', () => {
    assert.equal(readConfig(['--help'], {}), 'help')
    for (const { name } of OPTIONS)
      assert.match(helpText('aisle server'), RegExp(`AISLE_${name.toUpperCase()}`))
  })

  test('docs/operating.md has the table of options', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
    assert.ok(page.includes(optionsTable()), `docs/operating.md must contain:\n${optionsTable()}`)
  })

  test('the standard variables enable tracing; unsupported values are rejected', () => {
    const tracing = (more: Record<string, string>) => read([], more).tracing
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318'
    assert.equal(tracing({}), undefined)
    assert.equal(tracing({ OTEL_SERVICE_NAME: 'x' }), undefined)
    assert.deepEqual(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT }), {
      sampler: 'parentbased_always_on',
      ratio: 1,
      scheduleDelayMs: 5_000,
    })
    const sampled = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }
    assert.equal(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT, ...sampled })?.ratio, 0.1)
    for (const off of [{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }]) {
      assert.equal(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT, ...off }), undefined)
    }
    for (const bad of [
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      { OTEL_TRACES_EXPORTER: 'zipkin' },
      { OTEL_TRACES_SAMPLER: 'sometimes' },
      { OTEL_TRACES_SAMPLER_ARG: '2' },
      { OTEL_BSP_SCHEDULE_DELAY: 'soon' },
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' },
    ]) {
      const [name] = Object.keys(bad)
      assert.throws(
        () => tracing({ OTEL_EXPORTER_OTLP_ENDPOINT, ...bad }),
        RegExp(`^ConfigError: ${name} must be`),
      )
    }
  })
})
