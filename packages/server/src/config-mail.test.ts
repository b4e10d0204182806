import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { helpText } from './config-options.ts'
import { readConfig, type Config } from './config.ts'

const FROM = { AISLE_SMTP_FROM: 'aisle@shop.example' }
const LOGIN = { AISLE_SMTP_USER: 'ada', AISLE_SMTP_PASSWORD: 'hidden word' }

function read(environment: Record<string, string>): Config {
  const config = readConfig([], environment)
  assert.ok(config !== 'help')
  return config
}

suite('the mail server', () => {
  test('is a host with its port, and TLS wherever a password is sent', () => {
    assert.equal(read({}).mailServer, undefined)
    for (const [url, host, port, tls] of [
      ['smtp://mail.example', 'mail.example', 587, 'upgrade'],
      ['smtp://mail.example:25/', 'mail.example', 25, 'upgrade'],
      ['smtps://mail.example', 'mail.example', 465, 'start'],
      ['smtp://localhost:25', 'localhost', 25, 'off'],
      ['smtp://127.0.0.1', '127.0.0.1', 587, 'off'],
      ['smtp://[::1]:26', '::1', 26, 'off'],
      // A name that looks like an address of this machine.
      ['smtp://127.mail.example', '127.mail.example', 587, 'upgrade'],
    ] as const) {
      const server = read({ AISLE_SMTP_URL: url, ...FROM, ...LOGIN }).mailServer
      assert.deepEqual(server, {
        host,
        port,
        tls,
        user: 'ada',
        password: 'hidden word',
        from: 'aisle@shop.example',
      })
    }
    const open = read({ AISLE_SMTP_URL: 'smtp://mail.example', ...FROM }).mailServer
    assert.deepEqual([open?.tls, open?.user], ['offered', undefined])
  })

  test('is refused with what is missing, and without a password in the message', () => {
    const url = { AISLE_SMTP_URL: 'smtp://mail.example' }
    for (const [environment, expected] of [
      [LOGIN, /--smtp-url is missing/],
      [url, /--smtp-from is missing/],
      [{ ...url, AISLE_SMTP_FROM: 'aisle' }, /--smtp-from must be an address .* received "aisle"/],
      [{ ...url, ...FROM, AISLE_SMTP_USER: 'ada' }, /belong together/],
      [{ ...FROM, AISLE_SMTP_URL: 'smtp://ada:hidden@mail.example' }, /must not contain/],
      [{ ...FROM, AISLE_SMTP_URL: 'https://ada:hidden@mail.example' }, /such as smtp:/],
      [{ ...FROM, AISLE_SMTP_URL: 'mail.example' }, /such as smtp:/],
      [{ AISLE_PUBLIC_URL: 'search.example' }, /--public-url must be/],
      [{ AISLE_PUBLIC_URL: 'https://ada:hidden@search.example' }, /--public-url must be/],
    ] as const) {
      assert.throws(
        () => read(environment as unknown as Record<string, string>),
        ({ name, message }: Error) => {
          assert.equal(name, 'ConfigError')
          assert.match(message, expected)
          assert.doesNotMatch(message, /hidden/)
          return true
        },
      )
    }
    assert.doesNotMatch(helpText('aisle'), /hidden/)
  })

  test('links have the address of the dashboard', () => {
    assert.equal(read({}).publicUrl, undefined)
    const url = read({ AISLE_PUBLIC_URL: 'https://search.example/shop/' }).publicUrl
    assert.equal(url, 'https://search.example/shop')
  })
})
